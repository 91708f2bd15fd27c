// The parser example's job, done by a scripted model over HTTP in both styles, and what such a model
// is sent.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Script, ScriptedAnswer } from "../support/scripted-server.ts"
import { answersOf, parserProject } from "./support/example.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const styles = [
  { style: "programs", limitBytes: 9_000, script: () => answersOf("parser-bug") },
  { style: "tools", limitBytes: 6_000, script: async () => fixByTools },
] as const

async function fixJob(script: Script): Promise<Job> {
  return startJob({ home: await homes.fresh(), files: await parserProject(), script })
}

describe.each(styles)("in the style $style", ({ style, limitBytes, script }) => {
  test("a model reproduces the fault, fixes it, and the verification passes", async () => {
    const job = await fixJob(await script())
    const { exitCode, stdout, stderr } = await job.run("--style", style, "--verify", "node --test")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toMatch(/\nverification passed · node --test\nanswered · \d steps · /)

    const before = await parserProject()
    const after = await job.project.files()
    const changed = Object.keys(after).filter(path => after[path] !== before[path])
    expect(changed).toEqual(["src/parse.js", "test/quotes.test.js"])

    const { events } = await readOnlyLog(job.home)
    const tests = ofType(events, "action_ended").flatMap(({ receipt }) => receipt.process ?? [])
    const exits = tests.map(({ status, exit_code }) => ({ status, exit_code }))
    expect(exits.at(-1)).toEqual({ status: "exited", exit_code: 0 })
    expect(exits).toContainEqual({ status: "exited", exit_code: 1 })
  })

  test("the first request is the one on record, to the byte in any folder, home and minute", async () => {
    const texts: string[] = []
    for (const name of ["one", "two"]) {
      const job = await fixJob([{ text: "Done." }])
      await job.run("--style", style, "-p", "--verify", `echo ${name}`)
      texts.push(job.server.requests[0]?.text ?? "")
    }

    const [text = ""] = texts
    expect(texts[1]).toBe(text)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes)
    await expect(readable(text)).toMatchFileSnapshot(`__snapshots__/first-request.${style}.txt`)
  })
})

test("a step of one short command adds at most 300 bytes to the request", async () => {
  const script: Script = (_request, n) =>
    n < 12 ? { calls: [{ tool: "bash", arguments: { command: `echo ok-${n}` } }] } : { text: "Ok." }
  const job = await startJob({ home: await homes.fresh(), script })
  const { exitCode } = await job.run("-p")

  const sizes = job.server.requests.map(({ text }) => Buffer.byteLength(text))
  const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))
  expect({ exitCode, steps: growth.length }).toEqual({ exitCode: 0, steps: 12 })
  expect(Math.max(...growth)).toBeLessThanOrEqual(300)
})

test("each request begins with the whole of the one before", async () => {
  const job = await fixJob(fixByTools)
  await job.run("-p")

  const messages = job.server.requests.map(({ body }) => body.messages)
  for (const [index, later] of messages.slice(1).entries()) {
    const earlier = messages[index] ?? []
    expect(later.slice(0, earlier.length)).toEqual(earlier)
  }
})

/** The whole of a request: the instructions as they read, then the rest as JSON. */
function readable(request: string): string {
  const { messages, ...rest } = JSON.parse(request)
  const [{ content, ...system }, ...others] = messages
  const json = { messages: [{ ...system, content: "<as above>" }, ...others], ...rest }
  return `${content}\n\n${JSON.stringify(json, null, 2)}\n`
}

const call = (tool: string, args: Record<string, string>) => ({ tool, arguments: args })

const fixByTools: ScriptedAnswer[] = [
  {
    text: "I read the parser and its test first.",
    calls: [
      call("read", { path: "src/parse.js" }),
      call("read", { path: "test/parse.test.js" }),
      call("bash", { command: "node --test" }),
    ],
  },
  {
    text: "A doubled quote ends the field: I go on past it.",
    calls: [
      call("edit", {
        path: "src/parse.js",
        old_text: `  const close = text.indexOf('"', start + 1)\n`,
        new_text: `  let close = text.indexOf('"', start + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)\n`,
      }),
      call("edit", {
        path: "src/parse.js",
        old_text: "value: text.slice(start + 1, end), end: end + 1",
        new_text: `value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1`,
      }),
      call("write", {
        path: "test/quotes.test.js",
        text: `import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCsv } from "../src/index.js"

test("a doubled quote does not end a quoted field", () => {
  assert.deepEqual(parseCsv('"say ""go""",b\\n'), [['say "go"', "b"]])
})
`,
      }),
    ],
  },
  { text: "Now the checks.", calls: [call("bash", { command: "node --test", timeout: "60" })] },
  { text: "The timeout is a number.", calls: [call("bash", { command: "node --test" })] },
  { text: "A quote written twice ended a quoted field. It is fixed, and a test keeps it so." },
]
