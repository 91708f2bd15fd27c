import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startScriptedServer } from "../../../tests/support/scripted-server.ts"
import { type TemporaryFolder, temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { startHarness } from "./support/harness.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

test("without a terminal a message is a run in the mode gate: nothing is drawn, what asks is denied, and an idle pipe is not waited for", async () => {
  const [project, server] = await Promise.all([
    temporaryFolder({ "a.txt": "one\n" }),
    startScriptedServer({
      script: [
        { calls: [{ tool: "bash", arguments: { command: "touch made" } }] },
        { text: "It was not allowed." },
      ],
    }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })
  const running = startHarness(["make a file"], {
    home: home.path,
    cwd: project.path,
    stdin: "open",
    env: {
      HARNESS_MODEL: "openai-compatible/scripted",
      HARNESS_STYLE: "tools",
      HARNESS_SANDBOX: "off",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
    },
  })
  const { exitCode, stdout, stderr } = await running.ended

  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: "note: nobody can be asked here: what --approve gate asks is denied\n",
  })
  expect(stdout).toContain("It was not allowed.")
  expect(stdout).not.toContain("\u001b")
  expect(await project.files()).toEqual({ "a.txt": "one\n" })
})
