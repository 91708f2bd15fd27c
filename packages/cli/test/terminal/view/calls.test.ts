import { describe, expect, test } from "vitest"
import { process, type Recorded, receipt } from "../../support/recorded.ts"
import {
  atMs,
  begun,
  call,
  ended,
  newest,
  proposed,
  replied,
  viewOf,
} from "../support/view-events.ts"

describe("a call", () => {
  const read = call("c1", "read", { path: "cmd/list.go", offset: 14, limit: 3 })
  const test1 = call("c1", "bash", { command: "npm test" })

  test("is live while it runs, with the end of what it prints", () => {
    const { live } = viewOf([
      ...begun,
      replied([test1]),
      proposed({}),
      { type: "action_started", action_id: "a1" },
      { type: "action_output", action_id: "a1", text: "one\n" },
      { type: "action_output", action_id: "a1", text: "two" },
    ])
    expect(live.calls).toEqual([
      {
        id: "a1",
        title: "bash npm test",
        state: "running",
        sinceMs: atMs,
        tail: "one\ntwo",
        characters: 0,
      },
    ])
  })

  test("is told by what it was called with: read cmd/list.go offset=14 limit=3", () => {
    const item = newest([
      ...begun,
      replied([read]),
      proposed({ action: "read_file", effect: "read", input: { path: "cmd/list.go", line: 14 } }),
      ended({ action: "read_file", summary: "read cmd/list.go 80 bytes", result: { bytes: 80 } }),
    ])
    expect(item).toEqual({
      type: "call",
      call: {
        actionId: "a1",
        from: "call",
        title: "read cmd/list.go offset=14 limit=3",
        outcome: "",
        well: true,
        permits: undefined,
        input: { path: "cmd/list.go", line: 14 },
        result: { bytes: 80 },
        receipt,
      },
    })
  })

  const outcomes: [string, Recorded, string, boolean][] = [
    [
      "exit 1 · 6.2s · timed_out false · output truncated, 48,213 bytes original",
      ended({
        result: { exit_code: 1 },
        receipt: {
          ...receipt,
          process: {
            ...process("exited", 1),
            elapsed_seconds: 6.2,
            truncated: true,
            output_bytes: 48_213,
          },
        },
      }),
      "bash npm test",
      false,
    ],
    [
      "error ambiguous_match · old_text found 2 times",
      ended({
        summary: "edit a.ts error ambiguous_match · old_text found 2 times",
        result: { error: "ambiguous_match", found: 2 },
        receipt: { ...receipt, status: "error" },
      }),
      "bash npm test",
      false,
    ],
    [
      "denied (user)",
      ended({
        result: { status: "denied", by: "user" },
        receipt: { ...receipt, status: "denied" },
      }),
      "bash npm test",
      false,
    ],
    [
      "mode 0644 kept · atomic replace",
      ended({ summary: "write a.ts · mode 0644 kept · atomic replace" }),
      "bash npm test",
      true,
    ],
  ]
  test.each(outcomes)("ends with %s", (outcome, event, title, well) => {
    const item = newest([...begun, replied([test1]), proposed({}), event])
    expect(item?.type === "call" && item.call).toMatchObject({ title, outcome, well })
  })

  test("that leaves a process running is a service until it ends", () => {
    const running = { ...process("exited", null), status: "running" as const }
    const events = [
      ...begun,
      replied([call("c1", "bash", { command: "npm run dev", background: true })]),
      proposed({ action: "start_process", input: { command: "npm run dev" } }),
      ended({ receipt: { ...receipt, process: running } }),
    ]
    expect(viewOf(events).status.services).toEqual([
      { id: "p1", actionId: "a1", command: "npm run dev", sinceMs: atMs },
    ])

    const after = viewOf([
      ...events,
      {
        type: "process_ended",
        action_id: "a1",
        evidence_bytes: 0,
        evidence: [],
        process: process("exited", 0),
      },
    ])
    expect(after.status.services).toEqual([])
    expect(after.fresh.at(-1)).toEqual({
      type: "notice",
      level: "muted",
      text: "bash npm run dev background=true · exited · 0.21 s · 1,234 bytes",
    })
  })
})

describe("a request", () => {
  const asked: Recorded = {
    type: "request_opened",
    request: "r1",
    subject: { type: "action", action_id: "a1" },
    title: "run_command",
    preview: { format: "command", text: "npm test" },
  }

  test("waits with what was proposed, and is gone when it is answered", () => {
    const events = [...begun, proposed({ verdict: "ask" }), asked]
    const [request] = viewOf(events).requests
    expect(request).toMatchObject({
      request: "r1",
      preview: { format: "command", text: "npm test" },
      proposal: { action_id: "a1", input: { command: "npm test" } },
      program: null,
    })

    const answered = viewOf([
      ...events,
      { type: "request_answered", request: "r1", decision: "approve", by: "user" },
    ])
    expect(answered.requests).toEqual([])
    expect(answered.fresh.at(-1)?.type).toBe("user")
  })

  test("leaves a line when the person said more than yes or no", () => {
    const item = newest([
      ...begun,
      proposed({ verdict: "ask" }),
      asked,
      { type: "request_answered", request: "r1", decision: "deny", by: "user", note: "not now" },
    ])
    expect(item).toMatchObject({
      type: "decision",
      title: "run_command",
      event: { decision: "deny", note: "not now" },
    })
  })
})
