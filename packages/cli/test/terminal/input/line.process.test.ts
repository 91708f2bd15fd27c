import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startScriptedServer } from "../../../../../tests/support/scripted-server.ts"
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

const ctrlC = "\u0003"

test("2,000 lines that are pasted into a terminal reach the model whole, in one message", async () => {
  const [project, server] = await Promise.all([
    temporaryFolder({ "a.txt": "one\n" }),
    startScriptedServer({ script: [{ text: "I have read it." }] }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })
  const terminal = inTerminal("../../support/harness-main.ts", ["--folder", project.path], {
    HOME: home.path,
    HARNESS_HOME: home.path,
    HARNESS_MODEL: "openai-compatible/scripted",
    HARNESS_SANDBOX: "off",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "not-a-key",
  })
  const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} 漢字 👩‍👩‍👧`)

  await terminal.shown("/help")
  // Terminals send what is pasted as if Enter had ended its lines.
  terminal.type(`see \u001b[200~${lines.join("\r")}\u001b[201~`)
  await terminal.shown("[pasted 2,000 lines]")
  terminal.type(" end")
  await terminal.shown(" end")
  terminal.type("\r")
  await terminal.shown("answered · 1 step")
  terminal.type(ctrlC + ctrlC)

  expect(await terminal.ended).toBe(0)
  expect(server.requests).toHaveLength(1)
  const said = server.requests[0]?.body.messages.at(-1)
  expect(said).toEqual({ role: "user", content: `see ${lines.join("\n")} end` })
})
