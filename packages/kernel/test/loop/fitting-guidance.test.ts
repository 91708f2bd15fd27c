import { expect, test } from "vitest"
import { fittingGuidance } from "../../src/loop/fitting-guidance.ts"

test("a project's own words take an eighth of a small window, and are whole in others", () => {
  const guidance = { name: "AGENTS.md", text: "é".repeat(4_000) }
  expect(fittingGuidance(guidance, undefined)).toBe(guidance.text)
  expect(fittingGuidance(guidance, 200_000)).toBe(guidance.text)
  expect(fittingGuidance(guidance, 8_000)).toBe(
    `${"é".repeat(1_600)}\n[AGENTS.md is cut here, after 3200 bytes. Read the rest of the file before you rely on it.]\n`,
  )
})
