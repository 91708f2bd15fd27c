import fc from "fast-check"
import { expect, test } from "vitest"
import { stepTable } from "../../src/printers/steps.ts"
import { widthOf } from "../../src/text/width.ts"
import { type Recorded, recorded, usage } from "../support/recorded.ts"

type Fields = {
  model: string
  input: number | null
  output: number | null
  cost: number | null
  cached?: number
  reasoning?: number
  overheadMs?: number
}

function stepOf(fields: Fields, index: number): Recorded[] {
  const { model, input, output, cost, cached, reasoning, overheadMs } = fields
  const place = { turn: 1, step: index + 1 }
  return [
    { type: "step_started", ...place, model },
    {
      type: "step_ended",
      ...place,
      model,
      message: { role: "assistant", content: [] },
      finish: "stop",
      usage: {
        ...usage(input, output),
        ...(cached !== undefined && { cached_input_tokens: cached }),
        ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
      },
      cost,
      duration_ms: 90,
      first_token_ms: 40,
      ...(overheadMs !== undefined && { overhead_ms: overheadMs }),
    },
  ]
}

function tableOf(steps: readonly Fields[], columns: number, after: Recorded[] = []): string[] {
  const table = stepTable()
  for (const event of recorded([...steps.flatMap(stepOf), ...after])) {
    if ("seq" in event) table.event(event)
  }
  return table.lines(columns)
}

const known: Fields = {
  model: "vendor/a-model-of-some-name",
  input: 34_512,
  output: 204,
  cost: 0.0312,
  cached: 31_002,
  reasoning: 64,
  overheadMs: 1.8,
}

test("a turn that made no request has no table", () => {
  expect(tableOf([], 80)).toEqual([])
})

test("a wide terminal has every column", () => {
  expect(`\n${tableOf([known, { ...known, reasoning: 0 }], 160).join("\n")}\n`).toBe(`
step  model                     in  cached  out  reasoning     cost  duration  first token  overhead  actions  outcome
1     a-model-of-some-name  34,512  31,002  204         64  $0.0312    0.10 s       0.04 s    1.8 ms        0  final answer
2     a-model-of-some-name  34,512  31,002  204          0  $0.0312    0.10 s       0.04 s    1.8 ms        0  final answer
all                         69,024  62,004  408         64  $0.0624    0.20 s                 3.6 ms        0
`)
})

test("a narrower one has fewer: first goes what is asked for least", () => {
  const titles = (columns: number) => tableOf([known], columns)[0]?.replaceAll(/ {2,}/g, ", ")
  expect([120, 110, 100, 90, 80, 70, 60, 50, 45, 40].map(titles)).toMatchInlineSnapshot(`
    [
      "step, model, in, cached, out, reasoning, cost, duration, first token, overhead, actions, outcome",
      "step, model, in, cached, out, cost, duration, first token, overhead, actions, outcome",
      "step, model, in, cached, out, cost, duration, first token, overhead, outcome",
      "step, model, in, cached, out, cost, duration, overhead, outcome",
      "step, model, in, cached, out, cost, duration, outcome",
      "step, in, cached, out, cost, duration, outcome",
      "step, in, cached, out, cost, duration, outcome",
      "step, in, out, cost, duration, outcome",
      "step, out, cost, duration, outcome",
      "step, cost, duration, outcome",
    ]
  `)
})

test("a compaction has a line of its own, and what it spent counts", () => {
  const place = { turn: 1, step: 2 }
  const compaction: Recorded[] = [
    { type: "compaction_started", ...place, model: "vendor/m", attempt: 1 },
    {
      type: "compaction_ended",
      ...place,
      model: "vendor/m",
      attempt: 1,
      status: "compacted",
      messages: [],
      kept: 0,
      replaced: 4,
      tokens: { before: 9_000, after: 1_000 },
      evidence: [],
      usage: usage(1_000, 50),
      cost: 0.01,
      duration_ms: 100,
    },
  ]
  expect(tableOf([known], 90, compaction).join("\n")).toMatchInlineSnapshot(`
    "step  model                   in    cached  out     cost  duration  overhead  outcome
    1     …odel-of-some-name  34,512    31,002  204  $0.0312    0.10 s    1.8 ms  final answer
    2     m                    1,000   unknown   50  $0.0100    0.10 s            compacted
    all                       35,512  ≥ 31,002  254  $0.0412    0.20 s  ≥ 1.8 ms"
  `)
})

test("totals are sums; where a figure is unknown they say what it is at least", () => {
  const half = { model: "p/m", input: 1_000, output: 10, cost: 0.25 }
  expect(tableOf([half, half], 80).at(-1)).toMatch(/^all +2,000 +20 +\$0\.5000 /)

  const unknown = { ...half, input: null, cost: null }
  expect(tableOf([half, unknown], 100).at(-1)).toMatch(/^all +≥ 1,000 +20 +≥ \$0\.2500 /)
  expect(tableOf([unknown, unknown], 100).at(-1)).toMatch(/^all +unknown +20 +unknown /)
})

test("no line is wider than the terminal from 40 columns on, whatever the model is called", () => {
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
      fc.integer({ min: 40, max: 200 }),
      (steps, columns) => {
        expect(Math.max(...tableOf(steps, columns).map(widthOf))).toBeLessThanOrEqual(columns)
      },
    ),
  )
})
