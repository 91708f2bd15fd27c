// A task that is longer than the model's window, in both styles, with a server that refuses what is
// longer than it has room for and counts by itself.
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { messagesOf } from "../../packages/kernel/src/conversation/messages.ts"
import { runCli } from "../support/run-cli.ts"
import type { Script, ScriptedReply } from "../support/scripted-server.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const windowTokens = 8_000
const steps = 60

type Request = Parameters<Exclude<Script, readonly unknown[]>>[0]

/** By words and signs, as tokenizers count; harness estimates by bytes. */
function tokensOf({ body }: Request): number {
  const texts: string[] = []
  const take = (value: unknown): void => {
    if (typeof value === "string") texts.push(value)
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) take(inner)
  }
  take([body.messages, body.tools])
  return texts.reduce((sum, text) => sum + (text.match(/\w{1,4}|[^\w\s]/g) ?? []).length, 0)
}

function isForSummary({ body }: Request): boolean {
  return JSON.stringify(body.messages.at(-1)).includes("The window is nearly full.")
}

/** A model with a small window: it does `step` until it is done. */
function smallModel(step: (n: number) => ScriptedReply): Script {
  let n = 0
  return request => {
    const input = tokensOf(request)
    if (input > windowTokens) {
      const message = `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${input} tokens.`
      return { status: 400, body: { error: { message, code: "context_length_exceeded" } } }
    }
    const usage = { input, output: 40 }
    if (isForSummary(request)) return { text: `All went well up to step ${n}.`, usage }
    n += 1
    return { ...step(n - 1), usage }
  }
}

async function startTask(
  style: string,
  script: Script,
  options: { known: boolean; task?: string },
): Promise<Job> {
  const home = await homes.fresh()
  if (options.known) {
    const models = { "openai-compatible/scripted": { context_tokens: windowTokens } }
    await home.write({ "config.jsonc": JSON.stringify({ models }) })
  }
  const { task = "Do it." } = options
  const env = { HARNESS_STYLE: style }
  return startJob({ home, script, task, files: { "notes.txt": "0\n" }, env })
}

const styles = [
  {
    style: "tools",
    step: (n: number) => ({
      calls: [
        { tool: "bash", arguments: { command: `seq 40 | sed s/^/line-/; echo ${n} >> notes.txt` } },
      ],
    }),
  },
  {
    style: "programs",
    step: (n: number) => ({
      calls: [
        {
          tool: "run_program",
          arguments: {
            language: "python",
            source: `print("\\n".join(f"line-{i}" for i in range(40)))\nrun_command("echo ${n} >> notes.txt")`,
          },
        },
      ],
    }),
  },
] as const

describe.each(styles)("in the style $style", ({ style, step }) => {
  test("a task of 60 steps is done within a window of 8,000 tokens", async () => {
    const script = smallModel(n => (n < steps ? step(n) : { text: "All done." }))
    const job = await startTask(style, script, { known: true })
    const { exitCode, stdout, stderr } = await job.run("--sandbox", "off")

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(job.server.requests.map(tokensOf).filter(tokens => tokens > windowTokens)).toEqual([])
    expect(stdout).toMatch(/\ncompacted: \d+ messages into 1, \d,\d\d\d → \d,\d\d\d tokens\n/)
    expect(stdout).not.toContain("All went well up to step")
    const { "notes.txt": notes } = await job.project.files()
    expect(notes?.trim().split("\n")).toHaveLength(steps + 1)

    const { events } = await readOnlyLog(job.home)
    expect(ofType(events, "compaction_ended").map(({ status }) => status)).toContain("compacted")
    const last = job.server.requests.at(-1)?.body.messages.slice(1) ?? []
    expect(messagesOf(events).slice(0, -1)).toHaveLength(last.length)
  })
})

test("a task that alone is larger than the window ends with exit 3, and says how to go on", async () => {
  const job = await startTask(
    "tools",
    smallModel(() => ({ text: "Done." })),
    {
      known: true,
      task: "word ".repeat(9_000),
    },
  )
  const { exitCode, stderr } = await job.run("--sandbox", "off")

  expect(exitCode).toBe(3)
  expect(stderr).toMatch(
    /^limit reached \(context\): The conversation does not fit into the model's window of 8,000 tokens: .* harness run --resume \w+ "go on"\n$/,
  )
  expect(job.server.requests).toEqual([])
  const { events } = await readOnlyLog(job.home)
  expect(
    ofType(events, "compaction_ended").map(({ attempt, status }) => [attempt, status]),
  ).toEqual([
    [1, "failed"],
    [2, "failed"],
  ])
})

const longStep = { calls: [{ tool: "bash", arguments: { command: "seq 120 | sed s/^/line-/" } }] }

test("a window that nobody told is found by the refusal, and the task is done", async () => {
  const script = smallModel(n => (n < 20 ? longStep : { text: "All done." }))
  const job = await startTask("tools", script, { known: false })
  const { exitCode, stdout } = await job.run("--sandbox", "off")

  expect(exitCode).toBe(0)
  expect(stdout).toContain("maximum context length is 8000 tokens")
  expect(stdout).toContain("\ncompacted: ")
})

test("killed while it waits for a summary, the conversation goes on and compacts then", async () => {
  const model = smallModel(n => (n < 20 ? longStep : { text: "All done." }))
  let asked: () => void
  const waits = new Promise<void>(resolve => {
    asked = resolve
  })
  let isFirst = true
  const script: Script = async (request, n) => {
    if (isFirst && isForSummary(request)) {
      isFirst = false
      asked()
      return { text: "Never heard.", delayMs: 600_000 }
    }
    return typeof model === "function" ? model(request, n) : { text: "" }
  }
  const job = await startTask("tools", script, { known: true })
  const running = job.start("--sandbox", "off")
  await waits
  running.kill("SIGKILL")
  await running.ended

  const killed = await readOnlyLog(job.home)
  expect(killed.events.at(-1)).toMatchObject({ type: "compaction_started", attempt: 1 })
  const before = messagesOf(killed.events)
  expect(before.slice(1).map(({ role }) => role)).toEqual(
    before.slice(1).map((_message, index) => (index % 2 === 0 ? "assistant" : "tool")),
  )

  const { exitCode, stdout } = await job.run(
    "--sandbox",
    "off",
    "--resume",
    basename(killed.folder),
  )
  expect(exitCode).toBe(0)
  expect(stdout).toContain("\ncompacted: ")
})

test.each([
  ["tools", { tool: "read", arguments: { path: "large.txt" } }],
  ["tools", { tool: "bash", arguments: { command: "cat large.txt" } }],
  [
    "programs",
    {
      tool: "run_program",
      arguments: {
        language: "python",
        source: 'print(read_file("large.txt", limit=64000)["text"])',
      },
    },
  ],
])(
  "in the style %s the result of %j takes an eighth of the window and says how to read on",
  async (style, call) => {
    const seen: string[] = []
    const answer = smallModel(n => (n === 0 ? { calls: [call] } : { text: "Done." }))
    const job = await startTask(
      style,
      (request, n) => {
        seen.push(...request.results)
        return typeof answer === "function" ? answer(request, n) : { text: "" }
      },
      { known: true },
    )
    const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index}`)
    await job.project.write({
      "large.txt": lines.join("\n"),
      "AGENTS.md": "Mind it. ".repeat(3_000),
    })
    const { exitCode } = await job.run("--sandbox", "off")

    expect(exitCode).toBe(0)
    expect(Buffer.byteLength(seen[0] ?? "")).toBeLessThanOrEqual(windowTokens * 0.4 + 200)
    expect(seen[0]).toMatch(
      /Read on with offset \d+|read output:[0-9a-f]{8} for all|read_file\("output:program-1", offset=\d+\)/,
    )
    expect(JSON.stringify(job.server.requests[0]?.body.messages)).toContain("AGENTS.md is cut here")
  },
)

test("after a compaction a file can be changed as it was seen, and not one that changed since", async () => {
  const read = (path: string) => ({ calls: [{ tool: "read", arguments: { path } }] })
  const edit = (path: string) => ({
    calls: [{ tool: "edit", arguments: { path, old_text: "0", new_text: "1" } }],
  })
  const append = { calls: [{ tool: "bash", arguments: { command: "echo 0 >> changed.txt" } }] }
  const steps = [
    read("notes.txt"),
    read("changed.txt"),
    append,
    ...Array.from({ length: 20 }, () => longStep),
    edit("notes.txt"),
    edit("changed.txt"),
    { text: "All done." },
  ]
  const seen: string[] = []
  const model = smallModel(n => steps[n] ?? { text: "?" })
  const script: Script = (request, n) => {
    seen.push(...request.results)
    return typeof model === "function" ? model(request, n) : { text: "" }
  }
  const job = await startTask("tools", script, { known: true })
  await job.project.write({ "changed.txt": "0\n" })
  const { exitCode, stdout } = await job.run("--sandbox", "off")

  expect(exitCode).toBe(0)
  expect(stdout).toContain("\ncompacted: ")
  expect(seen.slice(-2)).toEqual([
    "edited notes.txt at line 1",
    expect.stringContaining("changed.txt changed since you read it; nothing was changed."),
  ])
  const { events } = await readOnlyLog(job.home)
  const [record] = ofType(events, "compaction_ended").at(-1)?.messages ?? []
  const sha256 = createHash("sha256").update("0\n").digest("hex")
  expect(JSON.stringify(record)).toContain(`- notes.txt ${sha256}`)
  expect(JSON.stringify(record)).toMatch(
    /- output:[0-9a-f]{8} \(\d+ bytes, exit 0\): run_command seq/,
  )

  const { stdout: audit } = await runCli(
    ["audit", basename((await readOnlyLog(job.home)).folder)],
    {
      env: { HARNESS_HOME: job.home.path },
    },
  )
  expect(audit).not.toMatch(/missing|altered|unnamed/)
})
