import { expect, test } from "vitest"
import type { EventBody } from "../src/index.ts"
import {
  answer,
  answered,
  done,
  ended,
  exited,
  model,
  place,
  processOf,
  program,
  proposed,
  ran,
  resultOf,
  rowsOf,
  runs,
  started,
  turnEnded,
  usage,
} from "./support/steps.ts"

const outcomesOf = (bodies: readonly EventBody[]) =>
  rowsOf([started, ended(), ...bodies]).map(({ outcomes }) =>
    outcomes.map(({ word, count }) => (count === 1 ? word : `${count} × ${word}`)),
  )[0]

const execute = { effect: "execute" as const }
const ask = { ...execute, verdict: "ask" as const }
const denied = { status: "denied" as const }

test("a step and its answer are rows with all their figures; the turn's rest is with the last", () => {
  const results: EventBody = { type: "results", ...place, message: { role: "tool", content: [] } }
  const second = { ...started, step: 2 }

  expect(
    rowsOf([
      started,
      ended(),
      proposed("a1"),
      done("a1"),
      results,
      second,
      answer,
      turnEnded({ status: "answered" }),
    ]),
  ).toEqual([
    {
      type: "step",
      ...place,
      model,
      usage,
      cost: 0.5,
      lostTries: 0,
      durationMs: 400,
      modelMs: 90,
      firstTokenMs: 40,
      overheadMs: 1.5,
      actions: 1,
      outcomes: [{ word: "ok · auto", count: 1 }],
    },
    {
      type: "step",
      turn: 1,
      step: 2,
      model,
      usage,
      cost: 0.5,
      lostTries: 0,
      durationMs: 100,
      modelMs: 90,
      firstTokenMs: 40,
      overheadMs: 2.3,
      actions: 0,
      outcomes: [{ word: "final answer", count: 1 }],
    },
  ])
})

test.each<[word: string, events: EventBody[]]>([
  ["ok · auto", [proposed("a1"), done("a1")]],
  ["not_found", [proposed("a1"), done("a1", { error: "not_found" }, { status: "error" })]],
  ["error", [proposed("a1"), done("a1", { error: "Oh no: it failed" }, { status: "error" })]],
  ["exit 0 · auto", [proposed("a1", execute), done("a1", {}, exited(0))]],
  ["exit 1 · auto", [proposed("a1", execute), done("a1", {}, exited(1))]],
  ["SIGKILL · auto", [proposed("a1", execute), done("a1", {}, exited(null, "SIGKILL"))]],
  ["timeout", [proposed("a1", execute), done("a1", {}, { process: processOf("timeout", null) })]],
  [
    "running · auto",
    [proposed("a1", execute), done("a1", {}, { process: processOf("running", null) })],
  ],
  ["approved", [proposed("a1", ask), ...answered("a1", "approve"), done("a1")]],
  [
    "approved · exit 0",
    [proposed("a1", ask), ...answered("a1", "approve"), done("a1", {}, exited(0))],
  ],
  [
    "edited · exit 0",
    [
      proposed("a1", ask),
      ...answered("a1", "approve", { command: "ls" }),
      done("a1", {}, exited(0)),
    ],
  ],
  [
    "approved · exit 1",
    [proposed("a1", ask), ...answered("a1", "approve"), done("a1", {}, exited(1))],
  ],
  [
    "approved · conflict",
    [
      proposed("a1", ask),
      ...answered("a1", "approve"),
      done("a1", { error: "conflict" }, { status: "error" }),
    ],
  ],
  ["denied", [proposed("a1", ask), ...answered("a1", "deny"), done("a1", {}, denied)]],
  ["denied", [proposed("a1", { verdict: "deny" }), done("a1", {}, denied)]],
  ["cancelled", [proposed("a1"), done("a1", { error: "interrupted" }, { status: "cancelled" })]],
  ["unknown", [proposed("a1", execute)]],
  // A search uses a process too, and its exit is nobody's business.
  ["ok · auto", [proposed("a1"), done("a1", {}, exited(1))]],
])("an action is %s", (word, events) => {
  expect(outcomesOf(events)).toEqual([word])
})

test.each<[outcomes: string[], events: EventBody[]]>([
  [["ok"], [runs, ran("ok"), resultOf("c1", "ok")]],
  [["denied"], [runs, ran("denied"), resultOf("c1", "denied")]],
  [["program exit 3"], [runs, ran("exit", 3), resultOf("c1", "exit")]],
  [
    ["2 × ok · auto", "program error"],
    [
      runs,
      proposed("a1", { origin: program }),
      done("a1"),
      proposed("a2", { origin: program }),
      done("a2"),
      ran("error"),
      resultOf("c1", "error"),
    ],
  ],
  [
    ["ok · auto", "approved · exit 0"],
    [
      runs,
      proposed("a1", { origin: program, rule: "mode:programs" }),
      done("a1"),
      proposed("a2", { ...execute, origin: program, rule: "mode:programs" }),
      done("a2", {}, exited(0)),
      ran("exit", 0),
      resultOf("c1", "exit"),
    ],
  ],
])("a program's outcomes are %j", (outcomes, events) => {
  expect(outcomesOf(events)).toEqual(outcomes)
})

test("several actions are told in the order of what was proposed, whichever ended first", () => {
  const events = [
    proposed("a1"),
    proposed("a2"),
    proposed("a3"),
    done("a3"),
    done("a2", { error: "not_found" }, { status: "error" }),
    done("a1"),
  ]
  expect(outcomesOf(events)).toEqual(["2 × ok · auto", "not_found"])
})

test("a call that came to no action is told by its result, and verification is no step's", () => {
  const verification = proposed("a9", { ...execute, origin: { type: "verify" } })
  expect(outcomesOf([resultOf("c1", "malformed_arguments"), verification])).toEqual([
    "malformed_arguments",
  ])
})

test("a request that was refused cost nothing; one that was lost may have, and nobody knows what", () => {
  const failure = { code: "provider_failed", message: "", next: "", exit: 1, details: {} }
  const failed: EventBody = { type: "step_failed", ...place, failure, duration_ms: 80 }
  const zero = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

  expect(rowsOf([started, failed])).toMatchObject([
    { usage: zero, cost: 0, lostTries: 0, modelMs: 80, outcomes: [{ word: "provider_failed" }] },
  ])
  expect(rowsOf([started, { ...failed, unanswered: 2 }])).toMatchObject([
    { usage: { input_tokens: null }, cost: null, lostTries: 2 },
  ])
  const interrupted = turnEnded({ status: "interrupted", reason: "SIGINT" })
  expect(rowsOf([started, interrupted])).toMatchObject([
    { cost: null, overheadMs: 0.8, outcomes: [{ word: "interrupted", count: 1 }] },
  ])
})

test("an answer that was cut off is told by the reason, and a compaction is a row of its own", () => {
  const compaction = { ...place, model, attempt: 1 }
  expect(
    rowsOf([
      { type: "compaction_started", ...compaction },
      {
        type: "compaction_ended",
        ...compaction,
        status: "compacted",
        messages: [],
        kept: 0,
        replaced: 4,
        tokens: { before: 9_000, after: 1_000 },
        evidence: [],
        usage,
        cost: null,
        duration_ms: 70,
      },
      started,
      ended({ message: { role: "assistant", content: [] }, finish: "length" }),
    ]),
  ).toMatchObject([
    { type: "compaction", usage, cost: null, modelMs: 70, outcomes: [{ word: "compacted" }] },
    { type: "step", outcomes: [{ word: "length", count: 1 }] },
  ])
})
