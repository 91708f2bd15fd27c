import { hash } from "node:crypto"
import { process, type Recorded, receipt, sha256, startedWith, step, usage } from "./recorded.ts"

const program = `text = read_file("src/parser.js")["text"]
print(len(text))

run_command(["node", "--test"])
`

const before = `export function parse(text) {
  return text.split(",")
}
`

const after = `export function parse(text) {
  return text.split(",").map(part => part.trim())
}
`

const hashOf = (text: string) => hash("sha256", text)

/** What the recorded actions left as evidence. */
export const readEvidence = async (sha256: string) => {
  const found = [before, after].find(text => hashOf(text) === sha256)
  return found === undefined ? null : Buffer.from(found)
}

const link = (role: string, text: string) => ({
  role,
  sha256: hashOf(text),
  bytes: Buffer.byteLength(text),
  path: "src/parser.js",
})

/** Programs style: two steps, a program with three actions, an answer, a verification that passes. */
export const fixedByProgram: readonly Recorded[] = [
  startedWith({ style: "programs", model: "openai-compatible/qwen3-coder" }),
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
  {
    type: "action_ended",
    action_id: "a2",
    action: "edit_file",
    summary: "edit src/parser.js · 1 replacement from line 2",
    result: { replaced: 1 },
    receipt: { ...receipt, evidence: [link("before", before), link("after", after)] },
  },
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
    output_bytes: 3,
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
