import { ConversationEvent, type DurableEvent } from "@harness/protocol"

type Without<Event, Keys extends PropertyKey> = Event extends unknown ? Omit<Event, Keys> : never

/** A durable event without its number and time, or one that passes without its place. */
export type Recorded =
  | (Without<DurableEvent, "seq" | "at"> & { afterMs?: number })
  | Without<Exclude<ConversationEvent, DurableEvent>, "after">

const startedAtMs = Date.parse("2026-01-01T00:00:00.000Z")

/** The events as a kernel tells them: numbered, dated (100 ms apart if nothing else is said), valid. */
export function recorded(events: readonly Recorded[]): ConversationEvent[] {
  let seq = 0
  let atMs = startedAtMs

  return events.map(event => {
    if (isPassing(event)) return ConversationEvent.parse({ ...event, after: seq })

    const { afterMs = 100, ...body } = event
    seq += 1
    atMs += afterMs
    return ConversationEvent.parse({ ...body, seq, at: new Date(atMs).toISOString() })
  })
}

function isPassing(event: Recorded): event is Exclude<Recorded, { afterMs?: number }> {
  return /_(delta|output|waiting|preview)$/.test(event.type)
}

export const sha256 = "ab12cd34ef56".padEnd(64, "0")

export const startedWith = (options: { style: "programs" | "tools"; model: string }): Recorded => ({
  type: "conversation_started",
  conversation: "0123456789ab",
  harness_version: "0.1.0",
  agent: "harness",
  approve: "none",
  sandbox: "off",
  network: false,
  folder: "{root}",
  repository: { head: null },
  instructions: "",
  tools: [],
  ...options,
})

export const usage = (input: number | null, output: number | null) => ({
  input_tokens: input,
  cached_input_tokens: null,
  output_tokens: output,
  reasoning_tokens: null,
})

export const step = (number: number) => ({ turn: 1, step: number })

export const process = (status: "exited" | "cancelled", exitCode: number | null) => ({
  id: "p1",
  status,
  exit_code: exitCode,
  signal: exitCode === null ? "SIGTERM" : null,
  elapsed_seconds: 0.214,
  output_bytes: 1_234,
  dropped_bytes: 0,
  output_sha256: sha256,
  output_id: "output:p1",
  truncated: false,
})

export const receipt = { status: "ok" as const, elapsed_ms: 1, evidence_bytes: 0, evidence: [] }
