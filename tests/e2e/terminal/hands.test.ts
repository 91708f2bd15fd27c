// What hands do to a terminal: paste much, resize it, stop what runs in it, close it.
import { expect, onTestFinished, test } from "vitest"
import { linkedHome } from "../../../packages/cli/test/support/linked-home.ts"
import { runCli } from "../../support/run-cli.ts"
import { startScriptedServer } from "../../support/scripted-server.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"
import { inTmux } from "./support/tmux.ts"

test("2,000 pasted lines outlive a resize, Ctrl-Z and fg, and a terminal that closes leaves a whole log", async () => {
  const [home, project, server] = await Promise.all([
    linkedHome(),
    temporaryFolder({ "a.txt": "one\n" }),
    startScriptedServer({ script: [{ text: "Read 漢字 all." }] }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove(), home.remove()])
  })
  const terminal = await inTmux(["--folder", "."], {
    cwd: project.path,
    env: {
      HOME: home.path,
      HARNESS_HOME: home.path,
      HARNESS_MODEL: "openai-compatible/scripted",
      HARNESS_STYLE: "tools",
      HARNESS_SANDBOX: "off",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
    },
  })
  const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} 漢字 👩‍🔬`)

  await terminal.shown(/what shall be done/)
  await terminal.paste(lines.join("\n"))
  await terminal.shown(/pasted|line 1999/i)
  await terminal.resize(40, 20)
  await terminal.press("C-z")
  await terminal.shown(/Stopped/)
  await terminal.type("fg")
  await terminal.press("Enter")
  await terminal.resize(120, 40)
  await terminal.type(" end")
  // As the line has it: the terminal itself shows what is typed before it is read.
  await terminal.shown(/lines\] end/)
  await terminal.press("Enter")
  await terminal.shown(/Read 漢字 all\./)
  await terminal.shown(/answered · 1 step/)
  const sent = server.requests[0]?.body.messages.at(-1)?.content
  expect(JSON.stringify(sent)).toContain(JSON.stringify(`${lines.join("\n")} end`).slice(1, -1))

  await terminal.lose()
  const audit = () =>
    runCli(["audit", "last"], { cwd: project.path, env: { HARNESS_HOME: home.path } })
  await expect.poll(async () => (await audit()).exitCode, { timeout: 30_000 }).toBe(0)
  const { stdout } = await runCli(["conversations", "list"], {
    cwd: project.path,
    env: { HARNESS_HOME: home.path },
  })
  expect(stdout).toContain("answered")
})
