import { readdir } from "node:fs/promises"
import { dirname } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type CliOptions, runCli } from "../../../tests/support/run-cli.ts"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

/** As a container has it that lets nobody make user namespaces. */
const withoutNamespaces = [
  "unshare",
  "-Ur",
  "/bin/sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
]

async function doctor(args: string[], options: Partial<CliOptions> = {}) {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  const env = { ...options.env, HARNESS_HOME: home.at("home") }
  const { exitCode, stdout, stderr } = await runCli(["doctor", ...args], { ...options, env })
  return { exitCode, stdout: stdout.replaceAll(home.path, "<home>"), stderr }
}

test("the doctor says what it found, and that commands can be contained", async () => {
  const { exitCode, stdout, stderr } = await doctor([])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  expect(stdout).toMatch(
    /^node +\d+\.\d+\.\d+\nplatform +linux-\w+\nhome +<home>\/home \(.*\)\ngit +\d.*\nsandbox +bubblewrap \d.*\nkey of openai-compatible +none: .*\nkey of replay +needs none\n$/,
  )
})

test("the doctor's findings come as JSON too", async () => {
  const { exitCode, stdout } = await doctor(["--json"])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    home: { path: "<home>/home", mode: expect.toBeOneOf([null, "0700"]) },
    sandbox: { status: "works", mechanism: "bubblewrap", version: expect.any(String) },
    git: expect.stringMatching(/^\d+\./),
    keys: [
      { provider: "openai-compatible", from: "none", variable: "OPENAI_API_KEY", reason: null },
      { provider: "replay", from: "unneeded", variable: null, reason: null },
    ],
  })
})

test("without bubblewrap the doctor names it, what installs it, and ends with 4", async () => {
  const PATH = dirname(process.execPath)
  const { exitCode, stdout } = await doctor([], { env: { PATH, HARNESS_HOME: "" } })
  expect(exitCode).toBe(4)
  expect(stdout).toContain("bubblewrap does not work: bwrap was not found in PATH\n")
  expect(stdout).toMatch(/^ {2}fix +.*apt-get install bubblewrap.*--sandbox off/m)
})

test("where nobody may make user namespaces a run ends with 4, says why, and nothing ran", async () => {
  const home = await linkedHome()
  onTestFinished(() => home.remove())
  const script = [
    { calls: [{ tool: "bash", arguments: { command: "touch ran" } }] },
    { text: "Done." },
  ]
  const { project, server, start } = await job(home.path, { script })

  const { exitCode, stdout, stderr } = await start(["--sandbox", "os"], {
    under: withoutNamespaces,
  }).ended
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" })
  expect(stderr).toMatch(
    /^error sandbox_unavailable: Commands cannot be contained here: .+\nnext: .+\n$/,
  )
  expect(await project.files()).toEqual({ "a.txt": "one\n" })
  expect(server.requests).toEqual([])
  expect(await readdir(home.at("projects")).catch(() => [])).toEqual([])
})
