import { type Recorded, sha256, started, usage } from "./recorded.ts"

const step = (number: number) => ({ turn: 1, step: number })

const program = `text = read_file("src/parser.js")["text"]
print(len(text))

run_command(["node", "--test"])
`

const diff = `--- a/src/parser.js
+++ b/src/parser.js
@@ -1,3 +1,3 @@
 export function parse(text) {
-  return text.split(",")
+  return text.split(",").map(part => part.trim())
 }
`

const process = (status: "exited" | "cancelled", exitCode: number | null) => ({
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

const receipt = { status: "ok" as const, elapsed_ms: 1, evidence_bytes: 0, evidence: [] }

/** Programs style: two steps, a program with three actions, an answer, a verification that passes. */
export const fixedByProgram: readonly Recorded[] = [
  started,
  { type: "notice", code: "provider", message: "recorded model messages are replayed" },
  { type: "turn_started", turn: 1 },
  { type: "user_message", message: { role: "user", content: [{ type: "text", text: "Fix it" }] } },
  { type: "step_started", ...step(1), model: "openai-compatible/qwen3-coder" },
  { type: "text_delta", text: "I reproduce the " },
  { type: "text_delta", text: "bug first." },
  {
    type: "step_ended",
    afterMs: 1_500,
    ...step(1),
    model: "openai-compatible/qwen3-coder",
    message: {
      role: "assistant",
      content: [
        { type: "text", text: "I reproduce the bug first." },
        { type: "call", id: "c1", tool: "run_program", arguments: "{}" },
      ],
    },
    finish: "tool_calls",
    usage: usage(2_345, 67),
    cost: 0.0123,
    duration_ms: 1_500,
    first_token_ms: 300,
  },
  {
    type: "program_started",
    ...step(1),
    program: 1,
    call_id: "c1",
    language: "python",
    source: program,
  },
  {
    type: "action_proposed",
    ...step(1),
    action_id: "a1",
    origin: { type: "program", call_id: "c1", program: 1 },
    environment: "e1",
    action: "read_file",
    effect: "read",
    input: { path: "src/parser.js" },
    verdict: "allow",
    rule: "mode:none",
  },
  { type: "action_started", action_id: "a1" },
  { type: "action_ended", action_id: "a1", action: "read_file", result: { bytes: 90 }, receipt },
  { type: "program_output", program: 1, stream: "stdout", text: "9" },
  { type: "program_output", program: 1, stream: "stdout", text: "0\n" },
  {
    type: "action_proposed",
    ...step(1),
    action_id: "a2",
    origin: { type: "program", call_id: "c1", program: 1 },
    environment: "e1",
    action: "edit_file",
    effect: "write",
    input: { path: "src/parser.js", old_text: "a", new_text: "b" },
    verdict: "allow",
    rule: "mode:none",
  },
  { type: "action_started", action_id: "a2" },
  { type: "action_ended", action_id: "a2", action: "edit_file", result: { diff }, receipt },
  {
    type: "action_proposed",
    ...step(1),
    action_id: "a3",
    origin: { type: "program", call_id: "c1", program: 1 },
    environment: "e1",
    action: "run_command",
    effect: "execute",
    input: { command: ["node", "--test"] },
    verdict: "allow",
    rule: "mode:none",
  },
  { type: "action_started", action_id: "a3" },
  {
    type: "action_ended",
    action_id: "a3",
    action: "run_command",
    result: { exit_code: 0 },
    receipt: { ...receipt, process: process("exited", 0) },
  },
  {
    type: "program_ended",
    ...step(1),
    program: 1,
    status: "ok",
    exit_code: null,
    error: null,
    calls: 3,
    output_characters: 3,
    output_sha256: sha256,
    elapsed_ms: 420,
    variables_kept: true,
  },
  {
    type: "results",
    ...step(1),
    message: {
      role: "tool",
      content: [{ type: "result", call_id: "c1", tool: "run_program", status: "ok", text: "90" }],
    },
  },
  { type: "step_started", ...step(2), model: "openai-compatible/qwen3-coder" },
  {
    type: "step_ended",
    ...step(2),
    model: "openai-compatible/qwen3-coder",
    message: { role: "assistant", content: [{ type: "text", text: "It is fixed." }] },
    finish: "stop",
    usage: usage(3_456, 8),
    cost: null,
    duration_ms: 100,
    first_token_ms: null,
  },
  {
    type: "action_proposed",
    ...step(2),
    action_id: "a4",
    origin: { type: "verify" },
    environment: "e1",
    action: "run_command",
    effect: "execute",
    input: { command: "node --test" },
    verdict: "allow",
    rule: "verify",
  },
  { type: "action_started", action_id: "a4" },
  {
    type: "action_ended",
    action_id: "a4",
    action: "run_command",
    result: { exit_code: 0 },
    receipt: { ...receipt, process: process("exited", 0) },
  },
  {
    type: "verification_ended",
    command: "node --test",
    action_id: "a4",
    verification: "passed",
  },
  {
    type: "turn_ended",
    turn: 1,
    ending: { status: "answered" },
    verification: "passed",
    head: sha256,
  },
]

/** Tools style: what goes wrong in the actions of one step; then the request of the next one fails. */
export const troubledByTools: readonly Recorded[] = [
  { ...started, type: "conversation_started", style: "tools", model: "openai-compatible/m" },
  { type: "turn_started", turn: 1 },
  { type: "step_started", ...step(1), model: "openai-compatible/m" },
  {
    type: "step_ended",
    ...step(1),
    model: "openai-compatible/m",
    message: { role: "assistant", content: [] },
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
  {
    type: "results",
    ...step(1),
    message: {
      role: "tool",
      content: ["exit_1", "denied", "conflict", "cancelled", "not_found"].map(status => ({
        type: "result" as const,
        call_id: status,
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
): Recorded[] {
  const proposed: Recorded = {
    type: "action_proposed",
    ...step(1),
    action_id: id,
    origin: { type: "call", call_id: id },
    environment: "e1",
    action: name,
    effect: "execute",
    input,
    verdict: "allow",
    rule: "mode:none",
  }
  return [proposed, { type: "action_ended", action_id: id, action: name, result, receipt: ended }]
}
