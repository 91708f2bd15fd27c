import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const linesOf = (home: string): unknown[] =>
  readFileSync(join(home, "logs", "harness.log"), "utf8")
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line))

const common = { pid: process.pid, time: expect.any(String) }

test("of a conversation that went well its steps are told, and nothing that was said", async () => {
  const kernel = startKernel(
    [calls(1, ["look", { path: "a.txt" }]), says("A confidential answer.")],
    {
      files: { "a.txt": "A confidential text." },
    },
  )
  const conversation = await kernel.open()
  await kernel.send(conversation, "A confidential task.")
  await kernel.kernel.dispatch({ type: "close", conversation })

  const shared = {
    ...common,
    level: "info",
    event: "step",
    conversation,
    turn: 1,
    model: expect.stringMatching(/^scripted\//),
    input_tokens: 100,
    cached_input_tokens: 0,
    output_tokens: 10,
    reasoning_tokens: null,
    cost: null,
    unanswered: 0,
    duration_ms: expect.any(Number),
    model_ms: expect.any(Number),
    first_token_ms: expect.any(Number),
    overhead_ms: expect.any(Number),
  }
  expect(linesOf(kernel.home)).toEqual([
    { ...shared, step: 1, actions: 1, outcomes: ["ok · auto"] },
    { ...shared, step: 2, actions: 0, outcomes: ["final answer"] },
  ])
  expect(readFileSync(join(kernel.home, "logs", "harness.log"), "utf8")).not.toContain(
    "confidential",
  )
})

test("a lost worker and a provider that failed are told, without the provider's secret", async () => {
  const kernel = startKernel(
    [calls(1, ["vanish", {}]), { fails: "401: Incorrect key acme-key-0123" }],
    { env: { ACME_API_KEY: "acme-key-0123" } },
  )
  const conversation = await kernel.open()
  await kernel.send(conversation, "Go.")
  await kernel.kernel.dispatch({ type: "close", conversation })

  const lines = linesOf(kernel.home)
  expect(lines).toMatchObject([
    { level: "error", event: "worker_lost", conversation, action: "vanish", action_id: "a1" },
    { event: "step", outcomes: ["worker_lost"] },
    { level: "error", event: "step_failed", conversation, code: "provider_failed" },
    { event: "step", outcomes: ["provider_failed"] },
    { event: "conversation_ended", ending: "failed", code: "provider_failed" },
  ])
  expect(JSON.stringify(lines)).toContain("401: Incorrect key [redacted]")
  expect(JSON.stringify(lines)).not.toContain("acme-key-0123")
})

test("a command that failed is told, one that was called wrongly is not", async () => {
  const { kernel, home } = startKernel([says("Hello.")])
  await kernel.dispatch({ type: "uninstall", name: "nothing" })
  writeFileSync(join(home, "harness.lock"), "{")
  await kernel.dispatch({ type: "list" })

  expect(linesOf(home)).toEqual([
    {
      ...common,
      level: "error",
      event: "command_failed",
      command: "list",
      code: "lock_damaged",
      message: expect.stringContaining("harness.lock cannot be read"),
    },
  ])
})
