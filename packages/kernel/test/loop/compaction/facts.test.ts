import type { DurableEvent, EventBody, ProcessReceipt } from "@harness/protocol"
import { expect, test } from "vitest"
import { factLines } from "../../../src/loop/compaction/fact-lines.ts"
import { factsOf } from "../../../src/loop/compaction/facts.ts"
import { at } from "../../conversation/support/open-log.ts"

const place = { turn: 1, step: 1 }

function numbered(bodies: readonly EventBody[]): DurableEvent[] {
  return bodies.map((body, index) =>
    body.type === "turn_ended"
      ? { seq: index + 1, at, ...body, head: "0".repeat(64) }
      : { seq: index + 1, at, ...body },
  )
}

function proposed(action_id: string, command: string): EventBody {
  return {
    type: "action_proposed",
    ...place,
    action_id,
    origin: { type: "call", call_id: `c-${action_id}` },
    environment: "project",
    action: "run_command",
    effect: "execute",
    input: { command },
    verdict: "allow",
    rule: "mode:none",
  }
}

function receipt(id: string, status: ProcessReceipt["status"]): ProcessReceipt {
  return {
    id,
    status,
    exit_code: status === "exited" ? 1 : null,
    signal: null,
    elapsed_seconds: 1,
    output_bytes: 12,
    dropped_bytes: 0,
    output_sha256: "ab".repeat(32),
    output_id: `output:${id}`,
    truncated: false,
  }
}

function ended(action_id: string, process: ProcessReceipt): EventBody {
  return {
    type: "action_ended",
    action_id,
    action: "run_command",
    result: {},
    receipt: { status: "ok", elapsed_ms: 1, evidence_bytes: 12, evidence: [], process },
  }
}

const started = (action_id: string): EventBody => ({ type: "action_started", action_id })

const events = numbered([
  { type: "user_message", message: { role: "user", content: [{ type: "text", text: "Do it." }] } },
  proposed("a1", "npm test"),
  started("a1"),
  ended("a1", receipt("00000001", "exited")),
  proposed("a2", "npm run dev"),
  started("a2"),
  ended("a2", receipt("00000002", "running")),
  proposed("a3", "sleep 5"),
  started("a3"),
  ended("a3", receipt("00000003", "running")),
  {
    type: "process_ended",
    action_id: "a3",
    evidence_bytes: 0,
    evidence: [],
    process: receipt("00000003", "cancelled"),
  },
  proposed("a4", "npm publish"),
  started("a4"),
  {
    type: "verification_ended",
    command: "npm test",
    action_id: "a1",
    verification: "failed",
  },
])

test("a record tells what runs, what nobody saw the end of, the verification, files and outputs", () => {
  const known = [
    { path: "old.ts", sha256: "11".repeat(32) },
    { path: "gone.ts", sha256: null },
    { path: "new.ts", sha256: "22".repeat(32) },
  ]
  expect(factLines(factsOf(events), { known, limitTokens: 1_000 })).toBe(`Processes that run:
- output:00000002 (12 bytes, running): run_command npm run dev
Begun, and nobody saw the end: look before you repeat it:
- run_command npm publish
The last verification:
- npm test: failed
Files as you last saw them, with the sha256:
- new.ts ${"22".repeat(32)}
- gone.ts (not there)
- old.ts ${"11".repeat(32)}
Outputs that can be read by name:
- output:00000003 (12 bytes, cancelled): run_command sleep 5
- output:00000002 (12 bytes, running): run_command npm run dev
- output:00000001 (12 bytes, exit 1): run_command npm test`)
})

test("what does not fit is counted, and what was learnt last goes before", () => {
  const known = Array.from({ length: 9 }, (_, index) => ({
    path: `${index}.ts`,
    sha256: "ab".repeat(32),
  }))
  const lines = factLines(factsOf([]), { known, limitTokens: 80 }).split("\n")
  expect(lines).toEqual([
    "Files as you last saw them, with the sha256:",
    `- 8.ts ${"ab".repeat(32)}`,
    `- 7.ts ${"ab".repeat(32)}`,
    "- and 7 more",
  ])
})

test("what a closed conversation left running is gone, and so is what was collected", () => {
  const closed = numbered([
    ...events,
    { type: "conversation_closed" },
    { type: "artifacts_collected", files: 3, bytes: 36 },
  ])
  expect(factsOf(closed)).toMatchObject({ running: [], outputs: [] })
})

test("the outputs of a call are found by it, also of a program and of a result that was cut", () => {
  const outputs = factsOf(
    numbered([
      ...events,
      {
        type: "program_started",
        ...place,
        program: 4,
        call_id: "c-p",
        language: "python",
        source: "",
      },
      {
        type: "program_ended",
        ...place,
        program: 4,
        status: "ok",
        exit_code: null,
        error: null,
        calls: 0,
        output_characters: 9,
        output_bytes: 9,
        output_sha256: "ab".repeat(32),
        elapsed_ms: 1,
        variables_kept: true,
      },
      {
        type: "results",
        ...place,
        message: {
          role: "tool",
          content: [
            {
              type: "result",
              call_id: "c-r",
              tool: "look",
              status: "ok",
              text: "",
              evidence: { role: "result", sha256: "cd".repeat(32), bytes: 9_000 },
            },
          ],
        },
      },
    ]),
  ).outputsOfCall
  expect(outputs.get("c-a1")).toEqual(["output:00000001"])
  expect(outputs.get("c-p")).toEqual(["output:program-4"])
  expect(outputs.get("c-r")).toEqual([`output:${"cd".repeat(32)}`])
})
