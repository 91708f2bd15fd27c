import type { AssistantMessage, EventBody, ToolMessage } from "@harness/protocol"

const step = { turn: 1, step: 1 }
const usage = {
  input_tokens: 100,
  cached_input_tokens: null,
  output_tokens: 20,
  reasoning_tokens: null,
}

export const calls: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "text", text: "I read two files and write one." },
    { type: "call", id: "c1", tool: "read", arguments: '{"path":"a.txt"}' },
    { type: "call", id: "c2", tool: "read", arguments: '{"path":"b.txt"}' },
    { type: "call", id: "c3", tool: "write", arguments: '{"path":"c.txt","text":"é"}' },
  ],
}

export const results: ToolMessage = {
  role: "tool",
  content: [
    { type: "result", call_id: "c1", tool: "read", status: "ok", text: "1 a" },
    { type: "result", call_id: "c2", tool: "read", status: "ok", text: "1 b" },
    { type: "result", call_id: "c3", tool: "write", status: "ok", text: "written" },
  ],
}

export const task: EventBody = {
  type: "user_message",
  message: {
    role: "user",
    content: [{ type: "text", text: "Copy a and b from /srv/shop to c." }],
  },
}

export function reply(message: AssistantMessage, at = step): EventBody {
  return {
    type: "step_ended",
    ...at,
    model: "replay/test",
    message,
    finish: "stop",
    usage,
    cost: null,
    duration_ms: 12,
    first_token_ms: 3,
  }
}

export function proposed(call_id: string, action_id: string, action: string): EventBody {
  return {
    type: "action_proposed",
    ...step,
    action_id,
    origin: { type: "call", call_id },
    environment: "project",
    action,
    effect: action === "write_file" ? "write" : "read",
    input: {},
    verdict: "allow",
    rule: "mode:none",
  }
}

export function started(action_id: string): EventBody {
  return { type: "action_started", action_id }
}

export function ended(action_id: string, action: string): EventBody {
  const receipt = { status: "ok" as const, elapsed_ms: 1, evidence_bytes: 0, evidence: [] }
  return { type: "action_ended", action_id, action, result: { bytes: 2 }, receipt }
}

/** A turn with three calls side by side, as the loop records it. */
export const turn: EventBody[] = [
  { type: "turn_started", turn: 1 },
  task,
  { type: "step_started", ...step, model: "replay/test" },
  reply(calls),
  proposed("c1", "a1", "read_file"),
  proposed("c2", "a2", "read_file"),
  proposed("c3", "a3", "write_file"),
  started("a1"),
  started("a2"),
  ended("a2", "read_file"),
  ended("a1", "read_file"),
  started("a3"),
  ended("a3", "write_file"),
  { type: "results", ...step, message: results },
  { type: "step_started", turn: 1, step: 2, model: "replay/test" },
  reply({ role: "assistant", content: [{ type: "text", text: "Done." }] }, { turn: 1, step: 2 }),
  {
    type: "turn_ended",
    turn: 1,
    ending: { status: "answered" },
    verification: "not_requested",
  },
]
