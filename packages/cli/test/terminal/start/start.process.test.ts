import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest"
import { type Script, startScriptedServer } from "../../../../../tests/support/scripted-server.ts"
import {
  type TemporaryFolder,
  temporaryFolder,
} from "../../../../../tests/support/temporary-folder.ts"
import { linkedHome } from "../../support/linked-home.ts"
import { type InTerminal, inTerminal } from "../support/pty.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())
beforeEach(() => home.write({ "config.jsonc": "// mine\n{}\n" }))

const ctrlC = "\u0003"
const ctrlD = "\u0004"

type Start = { args?: readonly string[]; env?: Readonly<Record<string, string>>; script?: Script }

/** `harness` in a terminal, in a repository. */
async function start({ args = [], env = {}, script = [] }: Start = {}) {
  const [project, server] = await Promise.all([
    temporaryFolder({ "a.txt": "one\n", "AGENTS.md": "Be brief.\n", ".git": null }),
    startScriptedServer({ script }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })
  const terminal = inTerminal(
    "../../support/harness-main.ts",
    args,
    {
      HOME: home.path,
      HARNESS_HOME: home.path,
      HARNESS_STYLE: "tools",
      HARNESS_SANDBOX: "off",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
      ...env,
    },
    project.path,
  )
  const begun = async () =>
    Object.keys(await home.files()).filter(path => path.endsWith("log.jsonl")).length
  return { project, terminal, server, begunBefore: await begun(), begun }
}

/** What is pasted is asked to be marked: from then on keys are read one by one, and Ctrl-C is one. */
const ready = "\u001b[?2004h"

async function leave(terminal: InTerminal): Promise<void> {
  await terminal.shown(ready)
  terminal.type(ctrlC)
  terminal.type(ctrlC)
  expect(await terminal.ended).toBe(0)
}

test("the questions lead from a repository to a conversation, and the model is kept as the default", async () => {
  const { project, terminal } = await start()
  await terminal.shown(`Project folder [${project.path}]:`)
  terminal.type("\r")
  await terminal.shown("Model")
  terminal.type("openai-compatible/scripted\r")
  await terminal.shown("Use openai-compatible/scripted from now on where no other is named? [y/N]")
  terminal.type("y\r")
  await terminal.shown("AGENTS.md found")
  await leave(terminal)
  expect(await home.text("config.jsonc")).toBe(
    '// mine\n{\n  "model": "openai-compatible/scripted"\n}\n',
  )
})

test("a message and a model skip the questions: it is sent at once, in the mode gate", async () => {
  const { terminal, server } = await start({
    args: ["--model", "openai-compatible/scripted", "say it"],
    script: [{ text: "It is said." }],
  })
  await terminal.shown("It is said.")
  await terminal.shown("answered · 1 step")
  await leave(terminal)
  expect(terminal.bytes()).toContain("gate")
  expect(server.requests).toHaveLength(1)
})

test.for([
  ["Ctrl-C", ctrlC],
  ["Ctrl-D", ctrlD],
])("%s at a question leaves with 130 and begins nothing", async ([, key = ""]) => {
  const { terminal, begun, begunBefore } = await start()
  await terminal.shown("Project folder")
  terminal.type(key)

  expect(await terminal.ended).toBe(130)
  expect(await begun()).toBe(begunBefore)
})

test("the key is asked for when there is none, is not shown, and is stored", async () => {
  const { terminal } = await start({
    args: ["--folder", "."],
    env: { HARNESS_MODEL: "openai-compatible/scripted", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" },
  })
  await terminal.shown("Key for openai-compatible (it is not shown):")
  terminal.type("sk-typed-in-the-terminal\r")
  await terminal.shown("the key is in")
  await leave(terminal)
  expect(terminal.bytes()).not.toContain("sk-typed")
})

test("what a folder brings is asked about before it counts", async () => {
  const { project, terminal } = await start()
  await project.write({ ".harness/config.jsonc": '{ "model": "openai-compatible/theirs" }' })
  await terminal.shown("Project folder")
  terminal.type("\r")
  await terminal.shown("Trust it? [y/N]")
  terminal.type("y\r")
  await terminal.shown("openai-compatible/theirs", terminal.bytes().length)
  await leave(terminal)
})

test("a conversation goes on in the terminal: what was said before is shown", async () => {
  const script: Script = [{ text: "It is said." }, { text: "Once more." }]
  const model = { HARNESS_MODEL: "openai-compatible/scripted" }
  const { project, terminal, server } = await start({ args: ["say it"], env: model, script })
  await terminal.shown("answered · 1 step")
  await leave(terminal)

  const again = inTerminal(
    "../../support/harness-main.ts",
    ["resume", "last", "--folder", project.path],
    {
      HOME: home.path,
      HARNESS_HOME: home.path,
      HARNESS_SANDBOX: "off",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
    },
    project.path,
  )
  await again.shown("It is said.")
  await again.shown(ready)
  again.type("again")
  await again.shown("again")
  again.type("\r")
  await again.shown("Once more.")
  await leave(again)
})
