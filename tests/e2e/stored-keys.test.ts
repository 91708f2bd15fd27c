// A stored key goes from where it is stored to its provider, and nowhere else.
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import type { ScriptedReply } from "../support/scripted-server.ts"
import { compiled, type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"
import { filesHolding } from "./support/leaks.ts"
import { startedBelow } from "./support/processes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** Of a shape that no redaction knows. */
const key = "Zk7f3b9c1e5dQ"

/** A job whose only key is the stored one. */
async function loggedIn(script: readonly ScriptedReply[], env: Record<string, string> = {}) {
  const home = await homes.fresh()
  const stored = await runCli(["login", "openai-compatible", "--file"], {
    env: { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled },
    stdin: `${key}\n`,
  })
  expect(stored).toMatchObject({ exitCode: 0, stderr: "" })
  return startJob({ home, script, env: { OPENAI_API_KEY: "", ...env } })
}

test.for(["off", "os"] as const)(
  "no command, program, process, record or output has a stored key, with the sandbox %s",
  async sandbox => {
    // With the user's own authority a command could read the file itself.
    const visible =
      sandbox === "off" ? "/proc/self/environ /proc/$PPID/environ" : "/proc/[0-9]*/environ"
    const look = `env; cat ${visible}; touch waiting; while [ ! -e go ]; do sleep 0.05; done`
    const program = `import os
print(dict(os.environ))
print(run_command(${JSON.stringify(look)}).output)
`
    const job = await loggedIn([
      { calls: [{ tool: "run_program", arguments: { language: "python", source: program } }] },
      { text: "Seen." },
    ])
    const running = job.start("--json", "--style", "programs", "--sandbox", sandbox)
    await expect
      .poll(async () => "waiting" in (await job.project.files()), { timeout: 60_000 })
      .toBe(true)
    const started = await startedBelow(running.pid)
    await job.project.write({ go: "" })
    const { exitCode, stdout, stderr } = await running.ended

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(job.server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${key}`,
      `Bearer ${key}`,
    ])
    expect(job.server.requests[1]?.results.join("")).toContain("PATH=")
    expect(job.server.requests.some(({ text }) => text.includes(key))).toBe(false)
    expect(started.some(({ command }) => /worker-main\.js/.test(command))).toBe(true)
    expect(started.filter(each => each.environment.includes(key))).toEqual([])
    expect(await leaks(job, stdout)).toEqual([])
  },
)

test("a contained command cannot read the file of the keys", async () => {
  // HOME is HARNESS_HOME here.
  const look = 'cat "$HOME/keys.json"; ls -A "$HOME"; echo looked'
  const calls = [{ tool: "bash", arguments: { command: look } }]
  const job = await loggedIn([{ calls }, { text: "Seen." }])
  await job.run("-p")

  expect(job.server.requests[1]?.results.join("")).toContain("looked")
  expect(job.server.requests[1]?.text).not.toContain(key)
})

test("a stored key that the server refuses is told with the command that replaces it, without the key", async () => {
  const refusal: ScriptedReply = {
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${key}.` } },
  }
  const job = await loggedIn([refusal], { HARNESS_DEBUG: "1" })
  const { exitCode, stdout, stderr } = await job.run("--json")

  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^error provider_failed: .*Incorrect API key provided: \[secret\]/)
  expect(stderr).toMatch(
    /^next: The server does not accept the stored key .* harness login openai-compatible\.$/m,
  )
  expect(await leaks(job, stdout + stderr)).toEqual([])
})

test("the environment goes before a stored key, and a refused one is named by its variable", async () => {
  const job = await loggedIn([{ status: 401, body: {} }], { OPENAI_API_KEY: "of-the-environment" })
  const { stderr } = await job.run()

  expect(job.server.requests[0]?.headers.authorization).toBe("Bearer of-the-environment")
  expect(stderr).toMatch(/^next: Check OPENAI_API_KEY: /m)
})

test("neither config show nor doctor prints a stored key", async () => {
  const { home, server } = await loggedIn([])
  for (const args of [
    ["config", "show"],
    ["config", "show", "--json"],
    ["doctor", "--json"],
  ]) {
    const { stdout, stderr } = await runCli(args, {
      env: {
        HARNESS_HOME: home.path,
        OPENAI_BASE_URL: server.baseUrl,
        NODE_COMPILE_CACHE: compiled,
      },
    })
    expect(stdout).not.toBe("")
    expect(stdout + stderr).not.toContain(key)
  }
})

/** Where the key is found, besides the file that it is stored in. */
async function leaks({ home, project }: Job, printed: string): Promise<string[]> {
  const folders = [home.path, project.path]
  const found = await filesHolding([key, btoa(key)], folders, [home.at("keys.json")])
  return printed.includes(key) ? ["what was printed", ...found] : found
}
