import {
  DurableEvent,
  type EventBody,
  type JsonObject,
  type Origin,
  stepRows,
} from "../../src/index.ts"

type Body<Type extends EventBody["type"]> = Extract<EventBody, { type: Type }>

export const place = { turn: 1, step: 1 }
export const model = "vendor/m"
export const usage = {
  input_tokens: 100,
  cached_input_tokens: 80,
  output_tokens: 10,
  reasoning_tokens: 4,
}

/** The rows after these events, 100 ms apart, each valid as a record of a log. */
export function rowsOf(bodies: readonly EventBody[]) {
  const steps = stepRows()
  for (const [index, body] of bodies.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString()
    const head = body.type === "turn_ended" && { head: "0".repeat(64) }
    steps.event(DurableEvent.parse({ seq: index + 1, at, ...body, ...head }))
  }
  return steps.rows()
}

export const started: EventBody = { type: "step_started", ...place, model }

export function ended(changes: Partial<Body<"step_ended">> = {}): EventBody {
  const call = { type: "call" as const, id: "c1", tool: "bash", arguments: "{}" }
  return {
    type: "step_ended",
    ...place,
    model,
    message: { role: "assistant", content: [call] },
    finish: "tool_calls",
    usage,
    cost: 0.5,
    duration_ms: 90,
    first_token_ms: 40,
    overhead_ms: 1.5,
    ...changes,
  }
}

export const answer = ended({ message: { role: "assistant", content: [] }, finish: "stop" })

export const turnEnded = (ending: Body<"turn_ended">["ending"]): EventBody => ({
  type: "turn_ended",
  turn: 1,
  ending,
  verification: "not_requested",
  overhead_ms: 0.75,
})

export function proposed(id: string, changes: Partial<Body<"action_proposed">> = {}): EventBody {
  return {
    type: "action_proposed",
    ...place,
    action_id: id,
    origin: { type: "call", call_id: "c1" },
    environment: "project",
    action: "act",
    effect: "read",
    input: {},
    verdict: "allow",
    rule: "mode:gate",
    ...changes,
  }
}

export function answered(
  id: string,
  decision: "approve" | "deny",
  input?: JsonObject,
): EventBody[] {
  const request = `r-${id}`
  return [
    {
      type: "request_opened",
      request,
      subject: { type: "action", action_id: id },
      title: "act",
      preview: { format: "text", text: "" },
    },
    { type: "request_answered", request, decision, by: "user", ...(input && { input }) },
  ]
}

export function done(
  id: string,
  result: Body<"action_ended">["result"] = {},
  receipt: Partial<Body<"action_ended">["receipt"]> = {},
): EventBody {
  const whole = {
    status: "ok" as const,
    elapsed_ms: 1,
    evidence_bytes: 0,
    evidence: [],
    ...receipt,
  }
  return { type: "action_ended", action_id: id, action: "act", result, receipt: whole }
}

export const exited = (exitCode: number | null, signal: string | null = null) => ({
  process: processOf("exited", exitCode, signal),
})

export function processOf(
  status: "exited" | "running" | "timeout",
  exitCode: number | null,
  signal: string | null = null,
) {
  return {
    id: "p1",
    status,
    exit_code: exitCode,
    signal,
    elapsed_seconds: 1,
    output_bytes: 0,
    dropped_bytes: 0,
    output_sha256: "0".repeat(64),
    output_id: "output:p1",
    truncated: false,
  }
}

export const program = { type: "program" as const, call_id: "c1", program: 1 } satisfies Origin

export function ran(
  status: Body<"program_ended">["status"],
  exitCode: number | null = null,
): EventBody {
  return {
    type: "program_ended",
    ...place,
    program: 1,
    status,
    exit_code: exitCode,
    error: null,
    calls: 0,
    output_characters: 0,
    output_bytes: 0,
    output_sha256: "0".repeat(64),
    elapsed_ms: 1,
    variables_kept: true,
  }
}

export const runs: EventBody = {
  type: "program_started",
  ...place,
  program: 1,
  call_id: "c1",
  language: "python",
  source: "",
}

export const resultOf = (id: string, status: string): EventBody => ({
  type: "results",
  ...place,
  message: {
    role: "tool",
    content: [{ type: "result", call_id: id, tool: "bash", status, text: "" }],
  },
})
