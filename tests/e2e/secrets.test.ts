// A key is read from the environment by the controller and goes nowhere else.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ScriptedReply } from "../support/scripted-server.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"
import { filesHolding } from "./support/leaks.ts"
import { startedBelow } from "./support/processes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const key = "sk-test-7f3b9c1e5d"
const token = "ghp-test-2a8d4f6b0c"

const secrets = { OPENAI_API_KEY: key, GITHUB_TOKEN: token, DATABASE_PASSWORD: `pw-${token}` }

/** Without the sandbox a command has the user's own authority, over the controller too. */
const looks = {
  // The environment of the command, of the worker that started it, and of what else it has started.
  off: "env; cat /proc/self/environ /proc/$PPID/environ; echo $OPENAI_API_KEY$GITHUB_TOKEN",
  // Of every process that it can see.
  os: "env; cat /proc/[0-9]*/environ; echo $OPENAI_API_KEY$GITHUB_TOKEN",
}
const both = ["programs", "tools"].flatMap(style => [
  { style, sandbox: "off" as const },
  { style, sandbox: "os" as const },
])

test.for(both)(
  "no command, program, record or output of the style $style has a secret, with the sandbox $sandbox",
  async ({ style, sandbox }) => {
    const look = looks[sandbox]
    const program = `import os
print(dict(os.environ))
print(run_command(${JSON.stringify(look)}).output)
`
    const call =
      style === "programs"
        ? { tool: "run_program", arguments: { language: "python", source: program } }
        : { tool: "bash", arguments: { command: look } }
    const script = [{ calls: [call] }, { text: "Seen." }]
    const job = await startJob({ home: await homes.fresh(), env: secrets, script })
    const options = ["--json", "--style", style, "--sandbox", sandbox, "--verify", look]
    const { exitCode, stdout, stderr } = await job.run(...options)

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(job.server.requests[1]?.results.join("")).toContain("PATH=")
    expect(await leaks(job, stdout)).toEqual([])

    const [request] = job.server.requests
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(job.server.requests.some(({ text }) => text.includes(token))).toBe(false)
  },
)

test.for(both)(
  "no process of the style $style is started with a secret, with the sandbox $sandbox",
  async ({ style, sandbox }) => {
    const wait = "touch waiting; while [ ! -e go ]; do sleep 0.05; done"
    const call =
      style === "programs"
        ? {
            tool: "run_program",
            arguments: { language: "python", source: `run_command(${JSON.stringify(wait)})` },
          }
        : { tool: "bash", arguments: { command: wait } }
    const script = [{ calls: [call] }, { text: "Done." }]
    const job = await startJob({ home: await homes.fresh(), env: secrets, script })
    const running = job.start("-p", "--style", style, "--sandbox", sandbox)
    await expect
      .poll(async () => "waiting" in (await job.project.files()), { timeout: 30_000 })
      .toBe(true)
    const started = await startedBelow(running.pid)
    await job.project.write({ go: "" })

    const kinds = {
      worker: /worker-main\.js/,
      ...(style === "programs" && { interpreter: /programs-python-child\.js/ }),
      ...(sandbox === "os" && { sandbox: /^\S*bwrap / }),
      command: /^\S*sh -c touch waiting/,
    }
    for (const [kind, pattern] of Object.entries(kinds)) {
      expect([kind, started.some(({ command }) => pattern.test(command))]).toEqual([kind, true])
    }
    const leaking = started.filter(({ environment }) =>
      Object.values(secrets).some(secret => environment.includes(secret)),
    )
    expect(leaking).toEqual([])
    expect(await running.ended).toMatchObject({ exitCode: 0, stdout: "Done.\n" })
  },
)

test("a server that repeats the key in its refusal does not get it into a message or a record", async () => {
  const refusal: ScriptedReply = {
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${key}.` } },
  }
  const env = { ...secrets, HARNESS_DEBUG: "1" }
  const job = await startJob({ home: await homes.fresh(), env, script: [refusal] })
  const { exitCode, stdout, stderr } = await job.run("--json")

  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^error provider_failed: .*Incorrect API key provided: .+\n/)
  expect(await leaks(job, stdout + stderr)).toEqual([])
})

test("a variable that the configuration allows reaches commands, and nothing beside it", async () => {
  const home = await homes.fresh()
  await home.write({ "config.jsonc": '{ "environment": { "allow": ["GITHUB_TOKEN"] } }' })
  const script = [{ calls: [{ tool: "bash", arguments: { command: "env" } }] }, { text: "Seen." }]
  const job = await startJob({ home, env: secrets, script })
  await job.run("-p")

  const names = job.server.requests[1]?.results.join("").match(/^\w+(?==)/gm) ?? []
  expect(names).toContain("GITHUB_TOKEN")
  expect(names.filter(name => ["OPENAI_API_KEY", "DATABASE_PASSWORD"].includes(name))).toEqual([])
})

/** Where a secret is found: in files of HARNESS_HOME and of the project, or in what was printed. */
async function leaks({ home, project }: Job, printed: string): Promise<string[]> {
  const secrets = [key, token]
  const found = secrets.some(secret => printed.includes(secret)) ? ["what was printed"] : []
  return [...found, ...(await filesHolding(secrets, [home.path, project.path]))]
}
