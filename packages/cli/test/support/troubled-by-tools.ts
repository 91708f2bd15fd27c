import { process, type Recorded, receipt, startedWith, step, usage } from "./recorded.ts"

/** Tools style: what goes wrong in the actions of one step; then the request of the next one fails. */
export const troubledByTools: readonly Recorded[] = [
  startedWith({ style: "tools", model: "openai-compatible/m" }),
  { type: "turn_started", turn: 1 },
  { type: "step_started", ...step(1), model: "openai-compatible/m" },
  {
    type: "step_ended",
    ...step(1),
    model: "openai-compatible/m",
    message: {
      role: "assistant",
      content: [{ type: "call", id: "c1", tool: "bash", arguments: "{}" }],
    },
    finish: "tool_calls",
    usage: usage(null, null),
    cost: null,
    duration_ms: 100,
    first_token_ms: null,
  },
  ...action(
    "b1",
    "run_command",
    { command: "npm test\nnpm run lint" },
    { exit_code: 1 },
    {
      ...receipt,
      process: process("exited", 1),
    },
  ),
  ...action(
    "b2",
    "write_file",
    { path: "a.txt" },
    { status: "denied", by: "no_approver" },
    {
      ...receipt,
      status: "denied",
    },
  ),
  ...action(
    "b3",
    "write_file",
    { path: "b.txt" },
    { error: "conflict", found: null },
    {
      ...receipt,
      status: "error",
    },
  ),
  ...action(
    "b4",
    "run_command",
    { command: "sleep 60" },
    { status: "cancelled" },
    {
      ...receipt,
      status: "cancelled",
      process: process("cancelled", null),
    },
  ),
  ...action(
    "b5",
    "read_file",
    { path: "\u001b]0;owned\u0007.txt" },
    { error: "not_found" },
    {
      ...receipt,
      status: "error",
    },
  ),
  ...action(
    "b6",
    "run_command",
    { command: "npm ci" },
    { status: "denied", by: "permit:network" },
    { ...receipt, status: "denied" },
    { permits: [{ permit: "network", reason: "to install\nall of it" }], verdict: "deny" },
  ),
  {
    type: "results",
    ...step(1),
    message: {
      role: "tool",
      content: ["exit_1", "denied", "conflict", "cancelled", "not_found", "denied"].map(status => ({
        type: "result" as const,
        call_id: "c1",
        tool: "bash",
        status,
        text: "",
      })),
    },
  },
  { type: "step_started", ...step(2), model: "openai-compatible/m" },
  {
    type: "step_failed",
    ...step(2),
    failure: {
      code: "provider_failed",
      message: "openai-compatible did not answer for m: the stream was cut.",
      next: "Try again.",
      exit: 1,
      details: {},
    },
  },
]

function action(
  id: string,
  name: string,
  input: { [key: string]: string },
  result: Extract<Recorded, { type: "action_ended" }>["result"],
  ended: Extract<Recorded, { type: "action_ended" }>["receipt"],
  judged: Partial<Extract<Recorded, { type: "action_proposed" }>> = {},
): Recorded[] {
  const proposed: Recorded = {
    type: "action_proposed",
    ...step(1),
    action_id: id,
    origin: { type: "call", call_id: "c1" },
    environment: "e1",
    action: name,
    effect: "execute",
    input,
    verdict: "allow",
    rule: "mode:none",
    ...judged,
  }
  return [proposed, { type: "action_ended", action_id: id, action: name, result, receipt: ended }]
}
