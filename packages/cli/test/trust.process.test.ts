import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  type FolderContent,
  type TemporaryFolder,
  temporaryFolder,
} from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

const config = '{\n  "rules": [{ "verdict": "deny", "path": "vendor/**" }]\n}\n'

const cabinet = {
  name: "@acme/cabinet",
  version: "1.2.0",
  type: "module",
  exports: "./index.ts",
  harness: { api: 1, contributes: { kinds: [{ name: "cabinet" }] }, capabilities: ["files"] },
}

const cabinetModule = `
import { defineAction, defineKind, defineToolView, z } from "@harness/sdk"
import { greeting } from "./greeting.ts"
const input = z.object({})
const greet = defineAction({
  name: "greet",
  description: "Greets.",
  effect: "read",
  returns: "{text}",
  input,
  run: async () => ({ text: greeting as string }),
})
const tool = defineToolView({
  name: "greet",
  description: "Greets.",
  input,
  plan: () => ({ action: "greet", input: {} }),
  present: (_input, { text }) => String(text),
})
export const cabinet = defineKind({
  name: "cabinet",
  description: "a cabinet.",
  actions: [greet],
  tools: [tool],
})
`

const packaged: FolderContent = {
  ".harness/packages/cabinet/package.json": JSON.stringify(cabinet),
  ".harness/packages/cabinet/index.ts": cabinetModule,
  ".harness/packages/cabinet/greeting.ts": 'export const greeting: string = "Good day."',
}

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

async function project(files: FolderContent) {
  const folder = await temporaryFolder(files)
  onTestFinished(() => folder.remove())
  return folder
}

describe.each(["direct", "json"] as const)("with a kernel reached %s", boundary => {
  test("what a folder brings is shown, and without a terminal it takes --yes", async () => {
    const { path } = await project({ ".harness/config.jsonc": config, ...packaged })
    const shown = `.harness/ of ${path}
  rules                [{"verdict":"deny","path":"vendor/**"}]  .harness/config.jsonc:2
  @acme/cabinet 1.2.0  brings kind cabinet; may use files       .harness/packages/cabinet
  Its packages are code: it runs as you, outside the sandbox.
`
    const run = (...args: string[]) => harness(args, { home: home.path, cwd: path, boundary })

    expect(await run("trust")).toEqual({
      exitCode: 2,
      signal: null,
      stdout: shown,
      stderr: `error trust_required: ${path} was not trusted: it takes a yes and there is no terminal to ask in.
next: Read what it brings above, then repeat with --yes.
`,
    })
    expect(await run("trust", "--yes")).toMatchObject({
      exitCode: 0,
      stdout: `${shown}trusted ${path}\n`,
      stderr: "",
    })
    expect(await run("trust", ".")).toMatchObject({
      exitCode: 0,
      stdout: `${shown}trusted already: ${path}\n`,
    })
    const list = await run("list", "--folder", path)
    expect(list.stdout).toContain(`kind cabinet                project ${path}/.harness/packages`)
    const values = await run("config", "show", "--folder", ".")
    expect(values.stdout).toContain(".harness/config.jsonc:2")
    expect(values.stderr).toBe("")

    expect((await run("trust", "--remove")).stdout).toBe(`no longer trusted: ${path}\n`)
    expect((await run("trust", "--remove")).stdout).toBe(`${path} was not trusted\n`)
    const ignored = `note: .harness/ of this folder is ignored: trust it with harness trust ${path}\n`
    expect((await run("list", "--folder", path)).stderr).toBe(ignored)
    expect((await run("config", "show", "--folder", path)).stderr).toBe(ignored)
  })
})

test("at the terminal a yes trusts and anything else does not", async () => {
  const { path } = await project({ ".harness/config.jsonc": config })
  const answered = (stdin: string) =>
    harness(["trust", path], { home: home.path, terminal: true, stdin })

  const no = await answered("\n")
  expect({ ...no, stdout: "" }).toMatchObject({
    exitCode: 1,
    stderr: "Trust it? [y/N] not trusted\n",
  })
  expect(await answered("y\n")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`trusted ${path}\n`),
  })
})

test("a folder that brings nothing, or nothing that can count, is told so", async () => {
  const { path } = await project({ "a.txt": "" })
  expect(await harness(["trust", path], { home: home.path })).toMatchObject({
    exitCode: 0,
    stdout: `${path} has nothing in .harness/ that could count\n`,
  })

  const broken = await project({ ".harness/config.jsonc": '{ "network": true }' })
  expect(await harness(["trust", broken.path, "--yes"], { home: home.path })).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("network: a project cannot open the network"),
  })
})

describe("a run", () => {
  const write = (path: string) => ({ tool: "write", arguments: { path, text: "x" } })
  const script = [{ calls: [write("vendor/b.txt")] }, { text: "Done." }]
  const files = { ".harness/config.jsonc": config, "vendor/a.txt": "" }

  test.each([
    ["y\n", false],
    ["n\n", true],
  ])(
    "in a terminal asks once: after %j the project's rule is ignored: %s",
    async (stdin, ignored) => {
      const { project: folder, start } = await job(home.path, { script, files })
      const { exitCode, stdout, stderr } = await start(["--approve", "none"], {
        terminal: true,
        stdin,
      }).ended

      expect(exitCode).toBe(0)
      expect(stderr).toContain(`.harness/ of ${folder.path}\n  rules`)
      expect(stderr.match(/Trust it\? \[y\/N\]/g)).toHaveLength(1)
      expect(stdout.includes("note: .harness/ of this folder is ignored")).toBe(ignored)
      expect(Object.keys(await folder.files())).toEqual(
        [".harness/config.jsonc", "vendor/a.txt", ...(ignored ? ["vendor/b.txt"] : [])].sort(),
      )
    },
  )

  test("without a terminal ignores it and says so in one line", async () => {
    const { project: folder, start } = await job(home.path, { script, files })
    expect(await start(["-p"]).ended).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: `note: .harness/ of this folder is ignored: trust it with harness trust ${folder.path}\n`,
    })
  })

  test("uses a kind that the project brings, its TypeScript as it is, with the host's sdk", async () => {
    const greet = [{ calls: [{ tool: "greet", arguments: {} }] }, { text: "It greeted." }]
    const { project: folder, start } = await job(home.path, { script: greet, files: packaged })
    const trusted = await harness(["trust", folder.path, "--yes"], { home: home.path })
    expect(trusted.exitCode).toBe(0)

    const { exitCode, stdout, stderr } = await start(["--kind", "cabinet", "--json"]).ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toContain('"result":{"text":"Good day."}')
  })

  test("refuses a project's package that imports what is not in it", async () => {
    const { project: folder, start } = await job(home.path, {
      script,
      files: {
        ...packaged,
        "src/greeting.ts": 'export const greeting: string = "Hello."',
        ".harness/packages/cabinet/greeting.ts": 'export * from "../../../src/greeting.ts"',
      },
    })
    await harness(["trust", folder.path, "--yes"], { home: home.path })

    const { exitCode, stderr } = await start(["--kind", "cabinet"]).ended
    expect(exitCode).toBe(1)
    expect(stderr).toContain("it imports ../../../src/greeting.ts, which is not in the package")
  })
})
