import { stripVTControlCharacters } from "node:util"
import { describe, expect, test } from "vitest"
import { themeFor } from "../../../src/terminal/render/theme.ts"
import { emptyView } from "../../../src/terminal/view/empty.ts"
import { linesOf } from "../../../src/terminal/view/lines.ts"
import { liveLines } from "../../../src/terminal/view/live-lines.ts"
import { printedLines } from "../../../src/terminal/view/printed.ts"
import { statusLine } from "../../../src/terminal/view/status-line.ts"
import type { EndedCall, HistoryItem, Status, View } from "../../../src/terminal/view/view.ts"
import { receipt } from "../../support/recorded.ts"

const look = { columns: 60, theme: themeFor({ NO_COLOR: "1" }, true) }

const call: EndedCall = {
  actionId: "a1",
  from: "call",
  title: "read cmd/list.go offset=14 limit=3",
  outcome: "",
  well: true,
  permits: undefined,
  input: {},
  result: {},
  receipt,
}

const said = (markdown: string, begins = true): HistoryItem => ({ type: "text", markdown, begins })
const called = (changes: Partial<EndedCall> = {}): HistoryItem => ({
  type: "call",
  call: { ...call, ...changes },
})

describe("a call's line", () => {
  test("is what was called for, and what came of it", () => {
    const ambiguous = { title: "edit a.ts", well: false }
    expect([
      ...linesOf(called(), look),
      ...linesOf(called({ title: "bash npm test", outcome: "exit 0 · 6.2s" }), look),
      ...linesOf(called({ ...ambiguous, outcome: "error ambiguous_match · found 2" }), look),
      ...linesOf(called({ from: "user", title: "ls", outcome: "exit 0" }), look),
    ]).toEqual([
      "read cmd/list.go offset=14 limit=3",
      "bash npm test · exit 0 · 6.2s",
      "edit a.ts error ambiguous_match · found 2",
      "! ls · exit 0",
    ])
  })

  test("of a person's own command has what it printed under it", () => {
    const result = { exit_code: 0, output: "a.txt\n\u001b[2Jb\n", truncated: true }
    expect(linesOf(called({ from: "user", title: "ls", outcome: "exit 0", result }), look)).toEqual(
      ["! ls · exit 0", "  …", "    a.txt", "    ^[[2Jb"],
    )
  })

  test("gives way at its title when it is long, not at what came of it", () => {
    const title = `bash ${"x".repeat(80)}`
    const [line] = linesOf(called({ title, outcome: "exit 1 · 6.2s", well: false }), look)
    expect(line).toBe(`bash ${"x".repeat(38)}… · exit 1 · 6.2s`)
  })
})

test("a limit of cost ends with how to go on", () => {
  const message = "The cost limit of 1 USD is reached: the next request can cost 0.02 USD."
  const ending = { status: "limit_reached", limit: "cost", message } as const
  expect(linesOf({ type: "ending", ending, conversation: "7f3a2c", steps: 3 }, look)).toEqual([
    "stopped HARNESS_MAX_COST reached (1.00)  conversation 7f3a2c is resumable: harness --resume 7f3a2c",
  ])
})

test("an opened call shows its input, its result and its receipt", () => {
  const opened = { ...call, input: { path: "a.go" }, result: { text: "one\ntwo\n", bytes: 8 } }
  expect(linesOf({ type: "details", call: opened }, look)).toEqual([
    "read cmd/list.go offset=14 limit=3 · ok",
    "input",
    "  path: a.go",
    "result",
    "  text:",
    "    one",
    "    two",
    "  bytes: 8",
    "receipt",
    "  ok · 1 ms",
  ])
})

test("an empty line stands where something else begins, and nowhere else", () => {
  const items: HistoryItem[] = [
    { type: "user", text: "Fix it.", images: 0 },
    said("First."),
    said("Goes on.", false),
    said("Next."),
    called(),
    called(),
    said("Then."),
  ]
  expect(printedLines(items, said("before"), look)).toEqual([
    "",
    "› Fix it.",
    "",
    "First.",
    "Goes on.",
    "",
    "Next.",
    "",
    "read cmd/list.go offset=14 limit=3",
    "read cmd/list.go offset=14 limit=3",
    "",
    "Then.",
  ])
})

describe("what happens now", () => {
  const running: View = {
    ...emptyView("c"),
    live: {
      ...emptyView("c").live,
      phase: { type: "working", sinceMs: 0 },
      text: "I run the tests.",
      calls: [
        {
          id: "a1",
          title: "bash npm test",
          state: "running",
          sinceMs: 1_000,
          tail: Array.from({ length: 9 }, (_, line) => `test ${line}\n`).join(""),
          characters: 0,
        },
      ],
    },
    queued: [{ text: "and the other one\nplease", images: [] }],
  }

  test("is what is said, what runs with the end of its output, and what waits", () => {
    expect(liveLines(running, look, { rows: 15, nowMs: 65_000 })).toEqual([
      "",
      "I run the tests.",
      "• bash npm test · 1 m 04 s",
      "  │ test 4",
      "  │ test 5",
      "  │ test 6",
      "  │ test 7",
      "  │ test 8",
      "working 1 m 05 s · Esc interrupts",
      "queued: and the other one …",
    ])
  })

  test("is never higher than it may be: the newest stays", () => {
    expect(liveLines(running, look, { rows: 3, nowMs: 2_000 })).toEqual([
      "  │ test 8",
      "working 2 s · Esc interrupts",
      "queued: and the other one …",
    ])
  })

  test("counts down to the next try of a provider that did not answer", () => {
    const phase = { type: "model_waiting", reason: "overloaded", untilMs: 4_500 } as const
    const waiting = { ...emptyView("c"), live: { ...emptyView("c").live, phase } }
    expect(liveLines(waiting, look, { rows: 5, nowMs: 1_000 })).toEqual([
      "asking again in 4 s: overloaded",
    ])
  })
})

describe("the status line", () => {
  const status: Status = {
    ...emptyView("c").status,
    model: "p/some-model",
    style: "tools",
    approve: "gate",
    inputTokens: 123_456,
    outputTokens: 7_890,
    cost: { usd: 0.0312, unknown: false },
    context: { tokens: 68_000, window: 200_000 },
    services: [{ id: "p1", actionId: "a1", command: "npm run dev", sinceMs: 0 }],
  }

  test("tells model, mode, context use, tokens, cost and services", () => {
    expect(statusLine(status, { ...look, columns: 120 })).toBe(
      "some-model · tools · gate · 34% of 200k · 123k in 7.89k out · $0.0312 · 1 service: npm run dev",
    )
  })

  test("keeps the cost and the context use where it is narrow", () => {
    expect(statusLine(status, { ...look, columns: 45 })).toBe(
      "some-model · gate · 34% of 200k · $0.0312",
    )
    expect(statusLine(status, { ...look, columns: 26 })).toBe("34% of 200k · $0.0312")
  })

  test("says at least, where some price is unknown", () => {
    const cost = { usd: 0.5, unknown: true }
    const context = { tokens: 950, window: null }
    expect(statusLine({ ...status, cost, context, services: [] }, { ...look, columns: 90 })).toBe(
      "some-model · tools · gate · 950 tokens · 123k in 7.89k out · ≥ $0.5000",
    )
  })
})

test("what others wrote can neither move the cursor nor colour anything", () => {
  const evil = "\u001b[2Jred\u001b[31m"
  const items: HistoryItem[] = [
    { type: "user", text: evil, images: 0 },
    said(evil),
    called({ title: "bash x", result: { output: `${evil}\n${evil}` } }),
    { type: "details", call: { ...call, input: { path: evil }, result: { text: `a\n${evil}` } } },
    { type: "program", program: 1, language: "python", source: evil },
    { type: "program_output", lines: [evil], more: false },
    { type: "diff", text: `+${evil}` },
    { type: "notice", level: "bad", text: evil },
  ]
  const lines = items.flatMap(item => linesOf(item, look))
  expect(lines.map(line => stripVTControlCharacters(line))).toEqual(lines)
})
