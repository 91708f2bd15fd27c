import type { DurableEvent } from "@harness/protocol"
import { expect, test } from "vitest"
import { wordsOfAction, wordsOfCall } from "../../src/transcript/action-words.ts"
import { transcriptOf } from "../../src/transcript/transcript.ts"
import {
  process,
  type Recorded,
  receipt,
  recorded,
  sha256,
  startedWith,
  step,
  usage,
} from "../support/recorded.ts"

function transcript(events: readonly Recorded[]) {
  const durable = recorded(events).filter((event): event is DurableEvent => "seq" in event)
  return transcriptOf(durable)
}

const reply = (content: Extract<Recorded, { type: "step_ended" }>["message"]["content"]) => ({
  type: "step_ended" as const,
  ...step(1),
  model: "vendor/model",
  message: { role: "assistant" as const, content },
  finish: "stop" as const,
  usage: usage(1, 1),
  cost: null,
  duration_ms: 1,
  first_token_ms: null,
})

type Proposed = Extract<Recorded, { type: "action_proposed" }>

const proposed = (
  action_id: string,
  origin: Proposed["origin"],
  input: Proposed["input"],
): Proposed => ({
  type: "action_proposed",
  ...step(1),
  action_id,
  origin,
  environment: "project",
  action: "run_command",
  effect: "execute",
  input,
  verdict: "ask",
  rule: "mode:gate",
})

test("a program has its source, its end, the actions that its lines proposed, and what the model was told", () => {
  const items = transcript([
    startedWith({ style: "programs", model: "vendor/model" }),
    { type: "turn_started", turn: 1 },
    { type: "user_message", message: { role: "user", content: [{ type: "text", text: "Go." }] } },
    reply([
      { type: "text", text: " \n" },
      { type: "call", id: "c1", tool: "program", arguments: "{}" },
    ]),
    {
      type: "program_started",
      ...step(1),
      program: 1,
      call_id: "c1",
      language: "python",
      source: "run_command('ls')",
    },
    proposed("a1", { type: "program", call_id: "c1", program: 1 }, { command: "ls" }),
    {
      type: "request_opened",
      request: "r1",
      subject: { type: "action", action_id: "a1" },
      title: "ls",
      preview: { format: "command", text: "ls" },
    },
    {
      type: "request_answered",
      request: "r1",
      decision: "approve",
      by: "user",
      input: { command: "ls -l" },
    },
    {
      type: "action_ended",
      action_id: "a1",
      action: "run_command",
      result: {},
      receipt: { ...receipt, process: process("exited", 0) },
    },
    {
      type: "program_ended",
      ...step(1),
      program: 1,
      status: "error",
      exit_code: null,
      error: "NameError",
      calls: 1,
      output_characters: 0,
      output_bytes: 0,
      output_sha256: sha256,
      elapsed_ms: 1,
      variables_kept: true,
    },
    {
      type: "results",
      ...step(1),
      message: {
        role: "tool",
        content: [{ type: "result", call_id: "c1", tool: "program", status: "error", text: "No." }],
      },
    },
  ])

  expect(items.map(({ type }) => type)).toEqual(["note", "turn", "user", "call"])
  const call = items.at(-1)
  if (call?.type !== "call") throw new Error("no call")
  expect(wordsOfCall(call)).toEqual({ title: "program 1", outcome: "error", good: false })
  expect(call.actions.map(wordsOfAction)).toEqual([
    {
      title: "run_command ls -l",
      outcome: "exit 0 · 0.21 s · 1,234 bytes · approved by user, changed",
      good: true,
    },
  ])
  expect(call).toMatchObject({
    program: { started: { source: "run_command('ls')" }, ended: { error: "NameError" } },
    result: { text: "No." },
  })
})

test("the user's own command stands by itself, and what nobody saw the end of says so", () => {
  const items = transcript([
    startedWith({ style: "tools", model: "vendor/model" }),
    proposed("a1", { type: "user" }, { command: "npm test" }),
    {
      type: "conversation_resumed",
      conversation: "0123456789ab",
      harness_version: "0.1.0",
      model: "other/model",
      style: "tools",
      approve: "gate",
      sandbox: "os",
      network: false,
      folder: "{root}",
      repository: null,
      told: "harness resumed this conversation.\n- git HEAD was a, and is b.",
    },
  ])
  expect(items.map(({ type }) => type)).toEqual(["note", "action", "note"])
  const [, action, note] = items
  if (action?.type !== "action") throw new Error("no action")
  expect(wordsOfAction(action.action)).toEqual({
    title: "run_command npm test",
    outcome: "no end",
    good: false,
  })
  expect(note).toMatchObject({ text: expect.stringContaining("\n- git HEAD was a, and is b.") })
})
