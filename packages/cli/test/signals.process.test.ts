import { existsSync } from "node:fs"
import { ConversationEvent } from "@harness/protocol"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import type { RunningHarness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

/** The model runs one command that tells its process and then sleeps. */
async function sleeping(command: string, ...args: string[]) {
  const script = [
    { calls: [{ tool: "bash", arguments: { command: `echo pid=$$ >pid; ${command}` } }] },
  ]
  const { project, start } = await job(home.path, { script })
  const running = start(args)
  const pid = async () => {
    for (;;) {
      const text = await project.text("pid").catch(() => "")
      const [, digits] = /^pid=(\d+)\n$/.exec(text) ?? []
      if (digits !== undefined) return Number(digits)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  return { running, pid: await pid() }
}

/** Linux only: a process that has ended but was not waited for does not count. */
const isRunning = (pid: number) => existsSync(`/proc/${pid}/cwd`)

function endings({ stdout }: Awaited<RunningHarness["ended"]>): object[] {
  const lines = stdout.trimEnd().split("\n")
  const told: object[] = []
  for (const event of lines.map(line => ConversationEvent.parse(JSON.parse(line)))) {
    if (event.type === "turn_ended") told.push(event.ending)
    if (event.type !== "action_ended") continue
    const { status, process } = event.receipt
    told.push({ action: status, process: process?.status })
  }
  return told
}

test.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s ends the command, its receipt says cancelled, and the exit code is %i",
  async ([signal, exitCode]) => {
    const { running, pid } = await sleeping("sleep 60", "--json")
    running.child.kill(signal)
    const ended = await running.ended

    expect({ exitCode: ended.exitCode, stderr: ended.stderr, endings: endings(ended) }).toEqual({
      exitCode,
      stderr: `interrupted: ${signal}\n`,
      endings: [
        { action: "cancelled", process: "cancelled" },
        { status: "interrupted", reason: signal },
      ],
    })
    expect(isRunning(pid)).toBe(false)
  },
)

test("a second signal waits for nothing more, and the command does not survive it", async () => {
  const { running, pid } = await sleeping("trap '' TERM; while :; do sleep 1; done", "-p")
  running.child.kill("SIGINT")
  setTimeout(() => running.child.kill("SIGINT"), 200)
  const { exitCode, signal } = await running.ended

  expect({ exitCode, signal }).toEqual({ exitCode: 130, signal: null })
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
})

test("a signal before the first request leaves the model unasked", async () => {
  const { server, start } = await job(home.path, { script: [{ text: "Done." }] })
  const running = start(["--json"])
  await running.said("conversation_started")
  running.child.kill("SIGINT")

  const { exitCode } = await running.ended
  expect(exitCode).toBe(130)
  expect(server.requests.length).toBeLessThanOrEqual(1)
})

test("a reader that goes away interrupts the run quietly, and its request is given up", async () => {
  const { server, start } = await job(home.path, {
    script: [{ text: "one two three", pieces: 100, gapMs: 50 }],
  })
  const running = start(["--json"])
  await running.said("text_delta")
  running.child.stdout?.destroy()

  const { exitCode, stderr } = await running.ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
  await server.requests[0]?.dropped
})

test("an idle pipe as standard input holds nothing up", async () => {
  const { start } = await job(home.path, { script: [{ text: "Done." }] })
  const { exitCode, stdout } = await start(["-p"], { stdin: "open" }).ended
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Done.\n" })
})
