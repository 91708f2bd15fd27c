import fc from "fast-check"
import { expect, test } from "vitest"
import { stepTable } from "../../src/printers/steps.ts"
import { widthOf } from "../../src/text/width.ts"
import { type Recorded, recorded, usage } from "../support/recorded.ts"

type Fields = { model: string; input: number | null; output: number | null; cost: number | null }

function tableOf(steps: readonly Fields[], columns: number): string[] {
  const table = stepTable()
  const events = steps.flatMap(({ model, input, output, cost }, index): Recorded[] => [
    { type: "step_started", turn: 1, step: index + 1, model },
    {
      type: "step_ended",
      turn: 1,
      step: index + 1,
      model,
      message: { role: "assistant", content: [] },
      finish: "stop",
      usage: usage(input, output),
      cost,
      duration_ms: 1,
      first_token_ms: null,
    },
  ])
  for (const event of recorded(events)) if ("seq" in event) table.event(event)
  return table.lines(columns)
}

test("a turn that made no request has no table", () => {
  expect(tableOf([], 80)).toEqual([])
})

test("totals are sums, and unknown as soon as one step's figure is", () => {
  const known = { model: "p/m", input: 1_000, output: 10, cost: 0.25 }
  expect(tableOf([known, known], 80).at(-1)).toMatch(/^all +2,000 +20 +\$0\.5000 /)

  const unknown = { ...known, input: null, cost: null }
  expect(tableOf([known, unknown], 80).at(-1)).toMatch(/^all +unknown +20 +unknown /)
})

test("no line is wider than the terminal from 80 columns on, whatever the model is called", () => {
  const figure = fc.option(fc.nat(9_999_999))
  const step = fc.record({
    model: fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
    input: figure,
    output: figure,
    cost: fc.option(fc.double({ min: 0, max: 9_999, noNaN: true })),
  })
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 80, max: 200 }),
      (steps, columns) => {
        expect(Math.max(...tableOf(steps, columns).map(widthOf))).toBeLessThanOrEqual(columns)
      },
    ),
  )
})
