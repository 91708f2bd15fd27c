import { describe, expect, test } from "vitest"
import type { KindDefinition } from "../kind.ts"
import { problemsOfAction, problemsOfKind, problemsOfTool } from "./kind-rules.ts"

/**
 * The rules that a kind's definition must keep so that programs, tools, policy and people can use
 * it, as tests. It looks at the definition alone: what the actions do, the package's own tests show.
 *
 * @example
 * describeKind(project)
 */
export function describeKind(kind: KindDefinition): void {
  describe(`the kind ${kind.name}`, () => {
    test("keeps the rules of a kind", () => {
      expect(problemsOfKind(kind)).toEqual([])
    })

    test.each(kind.actions)("keeps the rules of an action in $name", action => {
      expect(problemsOfAction(action)).toEqual([])
    })

    test.each(kind.tools ?? [])("keeps the rules of a tool in $name", tool => {
      expect(problemsOfTool(tool)).toEqual([])
    })
  })
}
