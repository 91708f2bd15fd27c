import { readdir } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type Script, startScriptedServer } from "../../../../../tests/support/scripted-server.ts"
import {
  type TemporaryFolder,
  temporaryFolder,
} from "../../../../../tests/support/temporary-folder.ts"
import { linkedHome } from "../../support/linked-home.ts"
import { inTerminal } from "../support/pty.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

/** A project, a scripted model, and the terminal over the two. */
async function talk(script: Script, { approve = "none" }: { approve?: "none" | "gate" } = {}) {
  const [project, server] = await Promise.all([
    temporaryFolder({ "a.txt": "one\n" }),
    startScriptedServer({ script }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })
  const terminal = inTerminal("../../support/harness-main.ts", ["--folder", project.path], {
    HOME: home.path,
    HARNESS_HOME: home.path,
    HARNESS_MODEL: "openai-compatible/scripted",
    HARNESS_STYLE: "tools",
    HARNESS_SANDBOX: "off",
    HARNESS_APPROVE: approve,
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "not-a-key",
  })
  const say = async (text: string) => {
    await terminal.shown(ready)
    const from = terminal.bytes().length
    terminal.type(text)
    await terminal.shown(text, from)
    // A key of its own: what comes at once is taken for a paste.
    terminal.type("\r")
  }
  return { project, terminal, say }
}

const ctrlC = "\u0003"

/** From here on keys are read one by one (and pastes told apart). */
const ready = "\u001b[?2004h"

/** Sequences that empty the screen or what was scrolled off it, or begin to draw at its top. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const fullClear = /\u001b\[[23]J|\u001b\[(?:1;1)?H/

test("5,000 lines that are streamed and a diff of 3,000 are all printed, and nothing is cleared", async () => {
  const said = Array.from({ length: 5_000 }, (_, line) => `漢字 said-${line}.`)
  const written = Array.from({ length: 3_000 }, (_, line) => `written-${line}.`)
  const { project, terminal, say } = await talk(
    [
      {
        text: said.join("\n"),
        pieces: 2_000,
        calls: [{ tool: "write", arguments: { path: "b.txt", text: `${written.join("\n")}\n` } }],
      },
      { text: "It is written." },
    ],
    { approve: "gate" },
  )

  await say("write much")
  await terminal.shown("a approve")
  // A key that comes too soon after the question does not count.
  const pressing = setInterval(() => terminal.type("a"), 500)
  await terminal.shown("answered · 2 steps")
  clearInterval(pressing)
  terminal.type(ctrlC + ctrlC)
  const exitCode = await terminal.ended

  const bytes = terminal.bytes()
  expect(exitCode).toBe(0)
  expect(await project.text("b.txt")).toBe(`${written.join("\n")}\n`)
  expect(fullClear.exec(bytes)).toBeNull()
  expect(new Set(bytes.match(/said-\d+\./g))).toEqual(new Set(said.map(line => line.slice(3))))
  expect(new Set(bytes.match(/written-\d+\./g))).toEqual(new Set(written))
})

test("a terminal that is lost ends the command, and the log says how", async () => {
  const { project, terminal, say } = await talk([
    { calls: [{ tool: "bash", arguments: { command: "echo pid=$$ >pid; exec sleep 60" } }] },
  ])
  await say("sleep")
  await terminal.shown("exec sleep 60")
  const command = await pidIn(project)
  terminal.lose()

  await untilGone(command)
  expect((await lastRecords(home, 3)).map(({ type }) => type)).toEqual([
    "results",
    "turn_ended",
    "conversation_closed",
  ])
})

test("Ctrl-C twice leaves in the middle of a command: nothing is left running and the terminal is as it was", async () => {
  const { project, terminal, say } = await talk([
    { calls: [{ tool: "bash", arguments: { command: "echo pid=$$ >pid; exec sleep 60" } }] },
  ])
  await say("sleep")
  const command = await pidIn(project)
  terminal.type(ctrlC)
  terminal.type(ctrlC)

  expect(await terminal.ended).toBe(0)
  await untilGone(command)
  expect(terminal.bytes()).toContain("\u001b[?2004l")
  expect(terminal.bytes().lastIndexOf("\u001b[?25h")).toBeGreaterThan(
    terminal.bytes().lastIndexOf("\u001b[?25l"),
  )
})

async function pidIn(project: TemporaryFolder): Promise<number> {
  for (;;) {
    const [, digits] = /^pid=(\d+)\n$/.exec(await project.text("pid").catch(() => "")) ?? []
    if (digits !== undefined) return Number(digits)
    await delay(20)
  }
}

async function untilGone(pid: number): Promise<void> {
  const isRunning = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  while (isRunning()) await delay(20)
}

/** Of the newest conversation, when its log is whole. */
async function lastRecords(folder: TemporaryFolder, count: number): Promise<{ type: string }[]> {
  for (;;) {
    const logs = (await readdir(folder.at("projects"), { recursive: true })).filter(path =>
      path.endsWith("log.jsonl"),
    )
    const texts = await Promise.all(logs.map(path => folder.text(`projects/${path}`)))
    const newest = texts.toSorted().at(-1) ?? ""
    const records = newest
      .trimEnd()
      .split("\n")
      .slice(-count)
      .map(line => JSON.parse(line))
    if (records.at(-1)?.type === "conversation_closed") return records
    await delay(20)
  }
}
