import { hash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { EventBody, Usage } from "@harness/protocol"
import fc from "fast-check"
import { chainedLine, nextHash } from "../../../src/conversation/chain.ts"

/** A request as a test thinks of it: what it came to, and on which day. */
export type Spent = {
  day: string
  model: string
  type: "step" | "compaction"
  /** `lost`: nothing was written of its end. */
  end: "answered" | "refused" | "unanswered" | "lost"
  usage: Usage
  cost: number | null
  /** Tries that were lost before the answer. */
  lostTries: number
  modelMs: number
  overheadMs: number
}

/** Turns, each with its requests; a turn without any counts on `day`, for the conversation's model. */
export type Talk = { project: string; day: string; turns: Spent[][] }

export const conversationModel = "vendor/first"

const place = { turn: 1, step: 1 }
const failure = { code: "provider_failed", message: "", next: "", exit: 1, details: {} }

type Dated = { day: string; body: EventBody }

/** Writes the log of a conversation, chained as every log is; returns its path. */
export function writeTalk(home: string, id: string, talk: Talk): string {
  const folder = join(home, "projects", talk.project, id)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "log.jsonl")
  writeFileSync(file, linesOf(id, eventsOf(talk)))
  return file
}

function linesOf(id: string, events: readonly Dated[]): string {
  let head = hash("sha256", id)
  let lines = ""
  for (const [index, { day, body }] of events.entries()) {
    const event = { seq: index + 1, at: `${day}T10:00:00.000Z`, ...body }
    const content = JSON.stringify(event)
    head = nextHash(head, content)
    lines += chainedLine(content, head)
  }
  return lines
}

function eventsOf({ day, turns }: Talk): Dated[] {
  return [{ day, body: started }, ...turns.flatMap(requests => turnOf(day, requests))]
}

function turnOf(day: string, requests: readonly Spent[]): Dated[] {
  const last = requests.at(-1)?.day ?? day
  const text = "# Fix it\nand more"
  return [
    { day, body: { type: "turn_started", turn: 1 } },
    {
      day,
      body: { type: "user_message", message: { role: "user", content: [{ type: "text", text }] } },
    },
    ...requests.flatMap(requestOf),
    {
      day: last,
      body: {
        type: "turn_ended",
        turn: 1,
        ending: { status: "answered" },
        verification: "not_requested",
      },
    },
  ]
}

function requestOf(spent: Spent): Dated[] {
  const begun = { type: `${spent.type}_started` as const, ...place, model: spent.model, attempt: 1 }
  const bodies = [begun, ...endOf(spent)]
  return bodies.map(body => ({ day: spent.day, body }))
}

function endOf(spent: Spent): EventBody[] {
  const { model, usage, cost, lostTries, modelMs: duration_ms, overheadMs: overhead_ms } = spent
  const unanswered = lostTries > 0 && { unanswered: lostTries }
  if (spent.end === "lost") return []
  if (spent.type === "compaction") {
    return [
      {
        type: "compaction_ended",
        ...place,
        model,
        attempt: 1,
        status: "compacted",
        messages: [],
        kept: 0,
        replaced: 1,
        tokens: { before: 2, after: 1 },
        evidence: [],
        usage,
        cost,
        ...unanswered,
        duration_ms,
      },
    ]
  }
  if (spent.end !== "answered") {
    const failed = { type: "step_failed" as const, ...place, failure, duration_ms, overhead_ms }
    return [spent.end === "refused" ? failed : { ...failed, unanswered: 1 }]
  }
  return [
    {
      type: "step_ended",
      ...place,
      model,
      message: { role: "assistant", content: [{ type: "text", text: 'a "quoted" é\n' }] },
      finish: "stop",
      usage,
      cost,
      ...unanswered,
      duration_ms,
      first_token_ms: null,
      overhead_ms,
    },
  ]
}

const started: EventBody = {
  type: "conversation_started",
  conversation: "c0ffee000001",
  harness_version: "0.1.0",
  agent: "harness",
  model: conversationModel,
  style: "tools",
  approve: "none",
  sandbox: "off",
  network: false,
  folder: "{root}",
  repository: null,
  instructions: "",
  tools: [],
}

const days = ["2026-11-28", "2026-11-29", "2026-11-30"]

export const anyTalk: fc.Arbitrary<Talk> = fc.record({
  project: fc.constantFrom("folder-a", "folder-b"),
  day: fc.constantFrom(...days),
  turns: fc.array(fc.array(anySpent(), { maxLength: 4 }), { maxLength: 3 }),
})

function anySpent(): fc.Arbitrary<Spent> {
  const tokens = fc.option(fc.nat(100_000))
  return fc.record({
    day: fc.constantFrom(...days),
    model: fc.constantFrom(conversationModel, "vendor/second", "other/third"),
    type: fc.constantFrom("step" as const, "step" as const, "compaction" as const),
    end: fc.constantFrom(
      "answered" as const,
      "refused" as const,
      "unanswered" as const,
      "lost" as const,
    ),
    usage: fc.record({
      input_tokens: tokens,
      cached_input_tokens: tokens,
      output_tokens: tokens,
      reasoning_tokens: tokens,
    }),
    cost: fc.option(fc.integer({ min: 0, max: 1_000 }).map(part => part / 1_024)),
    lostTries: fc.constantFrom(0, 0, 0, 1),
    modelMs: fc.nat(10_000),
    overheadMs: fc.nat(100),
  })
}
