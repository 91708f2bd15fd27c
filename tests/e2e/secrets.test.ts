// A key is read from the environment by the controller and goes nowhere else.
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ScriptedReply } from "../support/scripted-server.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const key = "sk-test-7f3b9c1e5d"
const token = "ghp-test-2a8d4f6b0c"

const secrets = { OPENAI_API_KEY: key, GITHUB_TOKEN: token, DATABASE_PASSWORD: `pw-${token}` }

const look = [
  "env",
  // The environment of the command, of the worker that started it, and of what else it has started.
  "cat /proc/self/environ /proc/$PPID/environ",
  `echo "[$OPENAI_API_KEY$GITHUB_TOKEN]"`,
].join("; ")

test.for(["programs", "tools"])(
  "no command, program, record or output of the style %s has a secret",
  async style => {
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
    const { exitCode, stdout, stderr } = await job.run("--json", "--style", style, "--verify", look)

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(job.server.requests[1]?.results.join("")).toContain("PATH=")
    expect(await leaks(job, stdout)).toEqual([])

    const [request] = job.server.requests
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(job.server.requests.some(({ text }) => text.includes(token))).toBe(false)
  },
)

test("a server that repeats the key in its refusal does not get it into a message or a record", async () => {
  const refusal: ScriptedReply = {
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${key}.` } },
  }
  const job = await startJob({ home: await homes.fresh(), env: secrets, script: [refusal] })
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
  const found = [key, token].some(secret => printed.includes(secret)) ? ["what was printed"] : []
  for (const folder of [home.path, project.path]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const entry of entries.filter(each => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      if (bytes.includes(key) || bytes.includes(token)) found.push(path)
    }
  }
  return found
}
