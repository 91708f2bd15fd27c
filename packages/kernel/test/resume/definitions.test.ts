import { expect, test } from "vitest"
import { changedDefinitions } from "../../src/resume/definitions.ts"

const tool = (name: string, description = "Does it.") => ({ name, description, parameters: {} })
const before = { instructions: "Work well.\nBe brief.", tools: [tool("read"), tool("bash")] }

test("without a difference there is no record", () => {
  const same = { instructions: before.instructions, tools: [tool("read"), tool("bash")] }
  expect(changedDefinitions(before, same)).toBe(null)
})

test("tools that came, went or changed are announced by name, and new lines of the instructions as they are", () => {
  const now = {
    instructions: "Work well.\nBe thorough.",
    tools: [tool("read", "Reads more."), tool("edit")],
  }
  expect(changedDefinitions(before, now)).toEqual({
    type: "definitions_changed",
    ...now,
    announced: [
      "harness changed what your requests begin with.",
      "New tools: edit.",
      "Tools that are gone: bash.",
      "Tools that take something else than before: read.",
      "New in the instructions:",
      "Be thorough.",
    ].join("\n"),
  })
})

test("of long instructions the beginning is announced; instructions that lost lines are shorter", () => {
  const long = changedDefinitions(before, { ...before, instructions: "x".repeat(10_000) })
  expect(long?.announced.length).toBeLessThan(4_200)
  expect(long?.announced).toContain("… (the instructions say all of it)")
  const short = changedDefinitions(before, { ...before, instructions: "Work well." })
  expect(short?.announced).toContain("The instructions are shorter now.")
})
