import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { textPrinter } from "../../src/printers/text.ts"
import { paintFor } from "../../src/text/paint.ts"
import { capture } from "../support/capture.ts"
import { type Recorded, recorded } from "../support/recorded.ts"

const erased = "\r\u001b[2K"

const proposed: Recorded = {
  type: "action_proposed",
  turn: 1,
  step: 1,
  action_id: "a1",
  origin: { type: "call", call_id: "c1" },
  environment: "project",
  action: "run_command",
  effect: "execute",
  input: { command: "npm test" },
  verdict: "allow",
  rule: "mode:none",
}
const started: Recorded = { type: "action_started", action_id: "a1" }
const process = {
  id: "1f3c09ab",
  status: "exited" as const,
  exit_code: 0,
  signal: null,
  elapsed_seconds: 0.4,
  output_bytes: 12,
  dropped_bytes: 0,
  output_sha256: "a".repeat(64),
  output_id: "output:1f3c09ab",
  truncated: false,
}
const ended: Recorded = {
  type: "action_ended",
  action_id: "a1",
  action: "run_command",
  result: { exit_code: 0 },
  receipt: { status: "ok", elapsed_ms: 400, evidence_bytes: 12, evidence: [], process },
}
const output = (text: string): Recorded => ({ type: "action_output", action_id: "a1", text })

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function watched(isTTY: boolean, columns = 80) {
  const shown = capture({ isTTY, columns })
  const printer = textPrinter(shown, paintFor(shown, { NO_COLOR: "1" }))
  const [first, second, ...rest] = recorded([
    proposed,
    started,
    output("one\ntwo \u001b[31mred"),
    output("dish\n"),
    ended,
  ])
  if (first === undefined || second === undefined) throw new Error("there are five events")
  printer.event(first)
  printer.event(second)
  return { shown, printer, rest }
}

test("while a command runs a terminal shows the time and its last line, and nothing of it stays", () => {
  const { shown, printer, rest } = watched(true)
  vi.advanceTimersByTime(200)
  expect(shown.text()).toBe("run_command npm test · 0.20 s")

  const [first, second, last] = rest
  for (const event of [first, second]) if (event) printer.event(event)
  vi.advanceTimersByTime(200)
  expect(shown.text().split(erased).at(-1)).toBe(
    "run_command npm test · 0.40 s · two ^[[31mreddish",
  )
  if (last) printer.event(last)
  vi.advanceTimersByTime(1_000)
  expect(shown.text().split(erased).at(-1)).toBe(
    "run_command npm test · exit 0 · 0.40 s · 12 bytes\n",
  )
})

test("a long line does not wrap, and a file or pipe gets none of it", () => {
  const narrow = watched(true, 30)
  vi.advanceTimersByTime(200)
  expect(narrow.shown.text()).toBe("run_command npm test · 0.20 s".slice(0, 29))

  const { shown, printer, rest } = watched(false)
  vi.advanceTimersByTime(1_000)
  for (const event of rest) printer.event(event)
  expect(shown.text()).toBe("run_command npm test · exit 0 · 0.40 s · 12 bytes\n")
})

test("what was left running is told when it ends", () => {
  const shown = capture()
  const printer = textPrinter(shown, paintFor(shown, {}))
  const running = { ...process, status: "running" as const, exit_code: null }
  const serve = { ...proposed, action: "start_process", input: { command: "npm start" } }
  for (const event of recorded([
    serve,
    started,
    { ...ended, action: "start_process", receipt: { ...ended.receipt, process: running } },
    {
      type: "process_ended",
      action_id: "a1",
      evidence_bytes: 12,
      evidence: [],
      process: { ...process, status: "session_closed" },
    },
  ])) {
    printer.event(event)
  }
  expect(shown.text()).toBe(
    "start_process npm start · running · 0.40 s · 12 bytes\nstart_process npm start · session closed · 0.40 s · 12 bytes\n",
  )
})

test("while older steps are summarised a terminal says so, and for how long already", () => {
  const shown = capture({ isTTY: true, columns: 80 })
  const printer = textPrinter(shown, paintFor(shown, { NO_COLOR: "1" }))
  const place = { turn: 1, step: 4, model: "small/m", attempt: 1 }
  const nothing = { input_tokens: null, cached_input_tokens: null, output_tokens: null }
  const [began, over] = recorded([
    { type: "compaction_started", ...place },
    {
      type: "compaction_ended",
      ...place,
      status: "failed",
      reason: "it was cut off",
      messages: [],
      kept: 0,
      replaced: 0,
      tokens: { before: 9, after: 9 },
      evidence: [],
      usage: { ...nothing, reasoning_tokens: null },
      cost: null,
      duration_ms: 900,
    },
  ])
  if (began) printer.event(began)
  vi.advanceTimersByTime(400)
  expect(shown.text()).toContain("summarising older steps · 0.40 s")
  if (over) printer.event(over)
  expect(shown.text().split(erased).at(-1)).toBe("compaction failed: it was cut off\n")
})
