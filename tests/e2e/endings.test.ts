// How runs end that do not simply answer: the exit code, what is said, and what is left behind.
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ProcessReceipt } from "../../packages/protocol/src/index.ts"
import type { Script, ScriptedReply } from "../support/scripted-server.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"
import { descendantsOf, memoryOf, processesWith, stillRunning } from "./support/processes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const bash = (command: string): ScriptedReply => ({
  calls: [{ tool: "bash", arguments: { command } }],
})
const readAgain: ScriptedReply = { calls: [{ tool: "read", arguments: { path: "a.txt" } }] }

const stopped = (steps: number, options = "") => ({
  exitCode: 3,
  signal: null,
  stdout: "",
  stderr: expect.stringMatching(
    new RegExp(
      `^limit reached \\(steps\\): The limit of ${steps} steps a turn is reached\\. Spent: ${steps} steps, [\\d,]+ tokens, an unknown cost\\. To go on: harness run --resume [0-9a-f]+ "go on"${options}\n$`,
    ),
  ),
})

test("a model that does the same for ever is stopped by --max-steps", async () => {
  const job = await startJob({ home: await homes.fresh(), script: () => readAgain })

  expect(await job.run("-p", "--max-steps", "5")).toEqual(stopped(5, " --max-steps 5"))
  expect(job.server.requests).toHaveLength(5)
})

test("200 steps are the limit without one: each request adds as much, and the memory is bounded", async () => {
  let peakBytes = 0
  const script: Script = (_request, n) => {
    if (n === 199) peakBytes = memoryOf(running.pid, "VmHWM")
    return readAgain
  }
  const job = await startJob({ home: await homes.fresh(), script })
  const running = job.start("-p")

  expect(await running.ended).toEqual(stopped(200))

  const texts = job.server.requests.map(({ text }) => text)
  expect(texts.length).toBe(200)
  const upToLast = texts.map(text => text.slice(0, text.lastIndexOf('],"tools":')))
  for (const [index, text] of upToLast.entries()) {
    expect({ index, isPrefix: text.startsWith(upToLast[index - 1] ?? "") }).toEqual({
      index,
      isPrefix: true,
    })
  }
  const growths = texts.map((text, index) => text.length - (texts[index - 1]?.length ?? 0)).slice(1)
  expect(Math.max(...growths)).toBeLessThanOrEqual(Math.min(...growths) + 10)
  expect(peakBytes).toBeGreaterThan(0)
  expect(peakBytes).toBeLessThan(160 * 1_048_576)
})

test("a failing verification ends with exit code 5, and its receipt says how it failed", async () => {
  const job = await startJob({ home: await homes.fresh(), script: [{ text: "All is well." }] })
  const { exitCode, stdout, stderr } = await job.run("--verify", "echo no good; exit 7")

  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: "verification failed\n" })
  expect(stdout).toMatch(/\nverification failed · echo no good; exit 7\nanswered · 1 step · /)

  const { folder, events } = await readOnlyLog(job.home)
  const [verified] = ofType(events, "action_ended")
  expect(verified?.receipt).toMatchObject({
    status: "ok",
    process: { status: "exited", exit_code: 7, output_bytes: 8 },
  })
  const id = verified?.receipt.process?.id ?? ""
  const stored = await readFile(join(folder, "artifacts", "processes", id, "receipt.json"), "utf8")
  expect(ProcessReceipt.parse(JSON.parse(stored))).toEqual(verified?.receipt.process)
  expect(ofType(events, "turn_ended")).toMatchObject([
    { ending: { status: "answered" }, verification: "failed" },
  ])
})

test.for([
  { signal: "SIGINT", style: "tools", exitCode: 130 },
  { signal: "SIGTERM", style: "tools", exitCode: 143 },
  { signal: "SIGHUP", style: "tools", exitCode: 129 },
  { signal: "SIGINT", style: "programs", exitCode: 130 },
  { signal: "SIGTERM", style: "programs", exitCode: 143 },
  { signal: "SIGHUP", style: "programs", exitCode: 129 },
] as const)(
  "$signal in the middle of a command of the style $style leaves no process and has exit code $exitCode",
  async ({ signal, style, exitCode }) => {
    const { home, running, left } = await sleeping(style)
    running.kill(signal)

    const end = await running.ended
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({
      exitCode,
      stderr: `interrupted: ${signal}\n`,
    })
    expect(await left()).toEqual([])

    const { events, tornBytes } = await readOnlyLog(home)
    expect(ofType(events, "action_ended").map(({ receipt }) => receipt)).toMatchObject([
      { status: "cancelled", process: { status: "cancelled" } },
    ])
    expect(ofType(events, "turn_ended").map(({ ending }) => ending)).toEqual([
      { status: "interrupted", reason: signal },
    ])
    expect(tornBytes).toBe(0)
  },
)

test.for([
  { style: "tools", before: [] },
  { style: "programs", before: ["program_started"] },
] as const)(
  "a command line that is killed in the style $style leaves no process, and a whole log",
  async ({ style, before }) => {
    const { home, running, left } = await sleeping(style)
    running.kill("SIGKILL")

    expect(await running.ended).toMatchObject({ exitCode: null, signal: "SIGKILL" })
    await expect.poll(left, { timeout: 5_000 }).toEqual([])

    const { events } = await readOnlyLog(home)
    expect(events.map(({ type }) => type)).toEqual([
      "conversation_started",
      "environment_opened",
      "turn_started",
      "user_message",
      "step_started",
      "step_ended",
      ...before,
      "action_proposed",
      "action_started",
    ])
  },
)

/** A run in the middle of a command that has a process of its own behind it, and one that left its group. */
async function sleeping(style: "programs" | "tools") {
  const home = await homes.fresh()
  const marker = markerOf(home.path)
  const command = `(sleep 600.${marker} & setsid sleep 601.${marker} & echo started; sleep 602.${marker})`
  const source = `run_command(${JSON.stringify(command)})`
  const program = { tool: "run_program", arguments: { language: "python", source } }
  const script = [style === "tools" ? bash(command) : { calls: [program] }]
  const job = await startJob({ home, script })
  const running = job.start("--json", "--style", style)
  await running.said('"text":"started\\n"')

  const started = await descendantsOf(running.pid)
  expect(started.length).toBeGreaterThan(3)
  expect(await processesWith(`.${marker}`)).not.toEqual([])
  const left = async () => [
    ...(await stillRunning(started)),
    ...(await processesWith(`.${marker}`)),
    ...(await processesWith(home.path)),
  ]
  return { home, running, left }
}

const providerFaults: { when: string; reply: ScriptedReply; says: string }[] = [
  {
    when: "refuses the key",
    reply: { status: 401, body: { error: { message: "no such key" } } },
    says: `error provider_failed: openai-compatible did not answer for scripted: HTTP 401: no such key.
next: Check OPENAI_API_KEY: the server does not accept it for this model.
`,
  },
  {
    when: "has trouble of its own",
    reply: { status: 500, body: { error: { message: "out of order" } } },
    says: `error provider_failed: openai-compatible did not answer for scripted: HTTP 500: out of order.
next: The fault is the server's: try again in a while.
`,
  },
  {
    when: "is cut off in the middle of its answer",
    reply: { text: "It is all do", pieces: 4, fault: { afterChunks: 3, type: "cut" } },
    says: `error provider_failed: openai-compatible did not answer for scripted: the connection broke in the reply (aborted).
next: Nothing of the unfinished reply was carried out; go on with the task to ask again.
`,
  },
  {
    when: "ends its answer without a finish",
    reply: { text: "It is all do", fault: { afterChunks: 2, type: "end" } },
    says: `error provider_failed: openai-compatible did not answer for scripted: Response stream ended without a finish reason.
next: Nothing of the unfinished reply was carried out; go on with the task to ask again.
`,
  },
]

/** A server's trouble may pass, and is waited for by itself; not here. */
const askedOnce = JSON.stringify({ providers: { "openai-compatible": { retry_seconds: 0 } } })

test.for(providerFaults)(
  "a model that $when fails the run, and no answer is claimed",
  async ({ reply, says }) => {
    const home = await homes.fresh()
    await home.write({ "config.jsonc": askedOnce })
    const job = await startJob({ home, script: () => reply })
    const { exitCode, stdout, stderr } = await job.run("-p", "--verify", "touch verified")

    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: "", stderr: says })
    expect(await job.project.files()).toEqual({ "a.txt": "one\n" })
    const { events } = await readOnlyLog(job.home)
    expect(ofType(events, "turn_ended")).toMatchObject([
      { ending: { status: "failed" }, verification: "not_requested" },
    ])
  },
)

test("the mode plan lets the model read, and denies what writes or runs, as data", async () => {
  const script = [
    readAgain,
    { calls: [{ tool: "edit", arguments: { path: "a.txt", old_text: "one", new_text: "two" } }] },
    { calls: [{ tool: "write", arguments: { path: "b.txt", text: "new\n" } }] },
    bash("touch c.txt"),
    { text: "I would change a.txt." },
  ]
  const job = await startJob({ home: await homes.fresh(), script })
  const { exitCode, stdout, stderr } = await job.run("-p", "--approve", "plan")

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "I would change a.txt.\n",
    stderr: "",
  })
  expect(job.server.requests.flatMap(({ results }) => results)).toEqual([
    "1\tone",
    '{"tool":"edit","status":"denied","by":"mode:plan","reason":"the mode plan only reads"}',
    '{"tool":"write","status":"denied","by":"mode:plan","reason":"the mode plan only reads"}',
    '{"tool":"bash","status":"denied","by":"mode:plan","reason":"the mode plan only reads"}',
  ])
  expect(await job.project.files()).toEqual({ "a.txt": "one\n" })
  const { events } = await readOnlyLog(job.home)
  expect(ofType(events, "action_started")).toHaveLength(1)
})

test("the mode gate with nobody to ask denies, and says to the model why", async () => {
  const script = [readAgain, bash("touch c.txt"), { text: "I may not." }]
  const job = await startJob({ home: await homes.fresh(), script })
  const { exitCode, stdout, stderr } = await job.run("-p", "--approve", "gate")

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "I may not.\n",
    stderr: "note: nobody can be asked here: what --approve gate asks is denied\n",
  })
  expect(job.server.requests.flatMap(({ results }) => results)).toEqual([
    "1\tone",
    '{"tool":"bash","status":"denied","by":"no_approver","reason":"nobody is there to approve it"}',
  ])
  expect(await job.project.files()).toEqual({ "a.txt": "one\n" })
})

test("a run whose reader goes away is interrupted: the command ends, and success is not claimed", async () => {
  const home = await homes.fresh()
  const marker = markerOf(home.path)
  const command = `while echo line; do sleep 0.1; done & sleep 602.${marker}`
  const job = await startJob({ home, script: [bash(command)] })
  const running = job.start("--json")
  await running.said('"text":"line\\n"')
  running.closeStdout()

  const { exitCode, stderr } = await running.ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
  expect(await processesWith(`.${marker}`)).toEqual([])
  const { events } = await readOnlyLog(home)
  expect(ofType(events, "turn_ended").map(({ ending }) => ending)).toEqual([
    { status: "interrupted", reason: "standard output was closed" },
  ])
})

test("a run that ends leaves nothing in the temporary folder", async () => {
  const home = await homes.fresh()
  await home.write({ "temp/": null })
  const env = { TMPDIR: home.at("temp") }
  const job = await startJob({ home, script: [bash("touch $TMPDIR/x"), { text: "Done." }], env })
  expect(await job.run("-p")).toMatchObject({ exitCode: 0, stderr: "" })
  expect(await readdir(home.at("temp"))).toEqual([])
})

/** Digits that only this test's commands have in their arguments. */
function markerOf(home: string): string {
  return BigInt(`0x${Buffer.from(home).toString("hex").slice(-12)}`).toString()
}
