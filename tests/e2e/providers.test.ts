// Each vendor's package, installed by a link, asked through the command, with its API on the wire.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { anthropicMessages } from "../support/wire/anthropic-messages.ts"
import type { Dialect } from "../support/wire/dialect.ts"
import { gemini } from "../support/wire/gemini.ts"
import { openaiResponses } from "../support/wire/openai-responses.ts"
import { startWireServer, type WireScript } from "../support/wire/server.ts"
import { compiled, type Homes, prepareHomes, root } from "./support/homes.ts"

const vendors: { name: string; model: string; dialect: Dialect; key: string; url: string }[] = [
  {
    name: "anthropic",
    model: "claude-sonnet-5",
    dialect: anthropicMessages,
    key: "ANTHROPIC_API_KEY",
    url: "ANTHROPIC_BASE_URL",
  },
  {
    name: "openai",
    model: "gpt-5.2",
    dialect: openaiResponses,
    key: "OPENAI_API_KEY",
    url: "OPENAI_BASE_URL",
  },
  {
    name: "google",
    model: "gemini-3-pro-preview",
    dialect: gemini,
    key: "GEMINI_API_KEY",
    url: "GOOGLE_GENERATIVE_AI_BASE_URL",
  },
]

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** A home with the vendor's package in it, and a project of one file. */
async function prepare({ name, model, dialect, key, url }: (typeof vendors)[number]) {
  const home = await homes.fresh()
  const project = await temporaryFolder({ "a.txt": "one\n" })
  onTestFinished(() => project.remove())

  const harness = (args: readonly string[], env: Record<string, string> = {}) =>
    runCli(args, {
      cwd: root,
      env: { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled, ...env },
    })

  return {
    harness,
    home,
    project,
    install: () => harness(["install", `./plugins/provider-${name}`, "--link", "--yes"]),
    async run(script: WireScript, ...options: string[]) {
      const server = await startWireServer({ dialect, script })
      onTestFinished(() => server.close())
      const choices = ["--folder", project.path, "--style", "tools", "--sandbox", "off"]
      const ended = await harness(["run", "Change the file.", ...choices, ...options], {
        HARNESS_MODEL: model,
        [url]: server.baseUrl,
        [key]: "sk-e2e-secret",
      })
      return { ...ended, server }
    },
  }
}

const busy = { status: 429, message: "Slow down.", headers: { "retry-after-ms": "20" } }

test.for(vendors)(
  "$name installs by a link, and its model works in a project by its bare name",
  async vendor => {
    const { install, run, project, harness } = await prepare(vendor)

    expect(await install()).toMatchObject({ exitCode: 0, stderr: "" })
    const { exitCode, stdout, stderr, server } = await run(
      [
        {
          reasoning: [{ text: "I read it first.", state: "state-1" }],
          calls: [
            { id: "c1", tool: "read", arguments: { path: "a.txt" } },
            { id: "c2", tool: "bash", arguments: { command: "echo two > a.txt" } },
          ],
        },
        { text: "It says two." },
      ],
      "-p",
    )

    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "It says two.\n",
      stderr: "",
    })
    expect(await project.files()).toEqual({ "a.txt": "two\n" })
    expect(server.requests[1]?.text).toContain("state-1")
    expect((await harness(["list"])).stdout).toContain(`@harness/provider-${vendor.name}`)
  },
)

test.for(vendors)("$name: a busy server is waited for, and the wait is shown", async vendor => {
  const { install, run } = await prepare(vendor)
  await install()

  const { exitCode, stdout, server } = await run([busy, { text: "Nothing to do." }])

  expect(exitCode).toBe(0)
  expect(stdout).toContain("waiting 0.02 s: HTTP 429: Slow down")
  expect(server.requests.length).toBe(2)
})

test.for(vendors)("$name: an option that is not valid is named with its line", async vendor => {
  const { install, run, home } = await prepare(vendor)
  await home.write({
    "config.jsonc": `{\n  "providers": {\n    "${vendor.name}": { "effort": "huge" }\n  }\n}\n`,
  })
  await install()

  const { exitCode, stderr, server } = await run([])

  expect(exitCode).toBe(2)
  expect(stderr).toContain(`config.jsonc:3: providers.${vendor.name}.effort: Invalid option`)
  expect(server.requests).toEqual([])
})
