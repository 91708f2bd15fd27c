import { existsSync, readFileSync, writeFileSync } from "node:fs"
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

test("a conversation that went well leaves no line, and costs none", async () => {
  const kernel = startKernel([says("A confidential answer.")])
  const conversation = await kernel.open()
  await kernel.send(conversation, "A confidential task.")
  await kernel.kernel.dispatch({ type: "close", conversation })

  expect(existsSync(join(kernel.home, "logs"))).toBe(false)
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
    { level: "error", event: "step_failed", conversation, code: "provider_failed" },
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
