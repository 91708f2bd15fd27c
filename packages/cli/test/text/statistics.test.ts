import type { StatisticsRow } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { statisticsLines } from "../../src/text/statistics.ts"
import { widthOf } from "../../src/text/width.ts"

const row: StatisticsRow = {
  group: "github.com/jo/a-shop-with-a-name",
  conversations: 3,
  turns: 4,
  steps: 41,
  input_tokens: 1_934_512,
  cached_input_tokens: 1_731_002,
  output_tokens: 11_204,
  reasoning_tokens: 0,
  cost: 1.0312,
  steps_without_cost: 0,
  model_ms: 754_000,
  overhead_ms: 212,
}
const total = { ...row, group: "all" }

const linesOf = (rows: StatisticsRow[], all: StatisticsRow, columns: number) =>
  statisticsLines({ rows, total: all, by: "project", columns })

test("a wide terminal has every figure", () => {
  expect(linesOf([row], total, 140).join("\n")).toMatchInlineSnapshot(`
    "project                           conversations  turns  steps         in     cached     out     cost  model time  overhead
    github.com/jo/a-shop-with-a-name              3      4     41  1,934,512  1,731,002  11,204  $1.0312   12 m 34 s    0.21 s
    all                                           3      4     41  1,934,512  1,731,002  11,204  $1.0312   12 m 34 s    0.21 s"
  `)
})

test("a narrower one has fewer, and the end of what the group is called", () => {
  expect(linesOf([row], total, 60).join("\n")).toMatchInlineSnapshot(`
    "project         steps         in     cached     out     cost
    …p-with-a-name     41  1,934,512  1,731,002  11,204  $1.0312
    all                41  1,934,512  1,731,002  11,204  $1.0312"
  `)
  expect(linesOf([row], total, 40).join("\n")).toMatchInlineSnapshot(`
    "project           steps     out     cost
    …hop-with-a-name     41  11,204  $1.0312
    all                  41  11,204  $1.0312"
  `)
})

test("where steps have no price the cost is what it is at least, and their number is told", () => {
  const some = { ...row, group: "a", steps_without_cost: 2, reasoning_tokens: 7 }
  const none = { ...some, group: "b", cost: 0 }
  expect(linesOf([some, none], { ...some, group: "all" }, 140).join("\n")).toMatchInlineSnapshot(`
    "project  conversations  turns  steps         in     cached     out  reasoning       cost  without cost  model time  overhead
    a                    3      4     41  1,934,512  1,731,002  11,204          7  ≥ $1.0312             2   12 m 34 s    0.21 s
    b                    3      4     41  1,934,512  1,731,002  11,204          7    unknown             2   12 m 34 s    0.21 s
    all                  3      4     41  1,934,512  1,731,002  11,204          7  ≥ $1.0312             2   12 m 34 s    0.21 s"
  `)
})

test("no line is wider than the terminal from 40 columns on", () => {
  const many = fc.record({
    ...Object.fromEntries(Object.keys(row).map(name => [name, fc.nat(9_999_999)])),
    group: fc.string({ minLength: 1, maxLength: 120, unit: "grapheme" }),
  })
  fc.assert(
    fc.property(
      fc.array(
        many.map(figures => ({ ...row, ...figures })),
        { minLength: 1, maxLength: 4 },
      ),
      fc.integer({ min: 40, max: 200 }),
      (rows, columns) => {
        const lines = linesOf(rows, rows[0] ?? row, columns)
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
      },
    ),
  )
})
