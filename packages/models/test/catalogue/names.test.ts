import { expect, test } from "vitest"
import { baseNameOf, nearMissOf } from "../../src/catalogue/names.ts"

test.for([
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["gpt-5-2025-08-07", "gpt-5"],
  ["claude-sonnet-5-latest", "claude-sonnet-5"],
  ["claude-sonnet-5", "claude-sonnet-5"],
  ["gpt-4-0613", "gpt-4-0613"],
  ["gemini-2.5-flash-001", "gemini-2.5-flash-001"],
] as const)("%s is looked up as %s", ([name, base]) => {
  expect(baseNameOf(name)).toBe(base)
})

const known = ["claude-opus-5", "claude-sonnet-5", "gpt-5-mini", "gpt-5-nano"]

test.for([
  ["claude-sonet-5", "claude-sonnet-5"],
  ["claude-sonnet5", "claude-sonnet-5"],
  ["Claude-opus-5", "claude-opus-5"],
  ["gpt-5-mimi", "gpt-5-mini"],
] as const)("%s was meant to be %s", ([name, meant]) => {
  expect(nearMissOf(name, known)).toBe(meant)
})

test.for([
  ["claude-sonnet-6", "it has another number"],
  ["claude-haiku-5", "it is too far from all"],
  ["", "it is no name"],
] as const)("%s is no misspelling: %s", ([name]) => {
  expect(nearMissOf(name, known)).toBeUndefined()
})

test("of two names that are as close none was meant", () => {
  expect(nearMissOf("gpt-5-xano", ["gpt-5-nano", "gpt-5-kano"])).toBeUndefined()
})
