import { expect, test } from "vitest"
import { counted, dollars, elapsed, grouped, tokens } from "../../src/text/format.ts"

test("a duration is told in seconds, then in minutes, then in hours", () => {
  const told = [0, 214, 999, 1_000, 59_940, 60_000, 125_400, 7_500_000].map(elapsed)
  expect(told).toEqual([
    "0.00 s",
    "0.21 s",
    "1.00 s",
    "1.0 s",
    "59.9 s",
    "1 m 00 s",
    "2 m 05 s",
    "2 h 05 m",
  ])
})

test("a cost that is not known is never a number, and a small one never nothing", () => {
  expect([null, 0, 0.00001, 0.0123, 12].map(dollars)).toEqual([
    "unknown",
    "$0.0000",
    "<$0.0001",
    "$0.0123",
    "$12.0000",
  ])
})

test("counts have groups of three digits and a unit in the right number", () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"])
  expect([counted(1, "step"), counted(2_000, "byte")]).toEqual(["1 step", "2,000 bytes"])
  expect([tokens(null), tokens(1_000)]).toEqual(["unknown", "1,000"])
})
