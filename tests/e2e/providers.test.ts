// Each vendor's package, installed by a link, asked through the command, with its API on the wire.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { runCli, startCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startWireServer, type WireScript } from "../support/wire/server.ts"
import { vendors, type WireVendor } from "../support/wire/vendors.ts"
import { compiled, type Homes, prepareHomes, root } from "./support/homes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** A home with the vendor's package in it, and a project of one file. */
async function prepare({ name, model, dialect, key, url }: WireVendor) {
  const home = await homes.fresh()
  const project = await temporaryFolder({ "a.txt": "one\n" })
  onTestFinished(() => project.remove())

  const harness = (args: readonly string[]) =>
    runCli(args, { cwd: root, env: { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled } })

  const start = async (script: WireScript, ...options: string[]) => {
    const server = await startWireServer({ dialect, script })
    onTestFinished(() => server.close())
    const choices = ["--folder", project.path, "--style", "tools", "--sandbox", "off"]
    const running = startCli(["run", "Change the file.", ...choices, ...options], {
      cwd: root,
      env: {
        HARNESS_HOME: home.path,
        NODE_COMPILE_CACHE: compiled,
        HARNESS_MODEL: model,
        [url]: server.baseUrl,
        [key]: "sk-e2e-secret",
      },
    })
    return { running, server }
  }

  return {
    harness,
    home,
    project,
    install: () => harness(["install", `./plugins/provider-${name}`, "--link", "--yes"]),
    async run(script: WireScript, ...options: string[]) {
      const { running, server } = await start(script, ...options)
      return { ...(await running.ended), server }
    },
    start,
  }
}

/** What all share is tried with one of them. */
const oneVendor = vendors.slice(0, 1)

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

test.for(oneVendor)("$name: a busy server is waited for, and the wait is shown", async vendor => {
  const { install, run } = await prepare(vendor)
  await install()

  const script = [busy, { text: "Nothing to do." }]
  const { exitCode, stdout, server } = await run(script)
  const printed = await run(script, "-p")

  expect(exitCode).toBe(0)
  expect(stdout).toContain("waiting 0.02 s: HTTP 429: Slow down")
  expect(server.requests.length).toBe(2)
  expect({ stdout: printed.stdout, stderr: printed.stderr }).toEqual({
    stdout: "Nothing to do.\n",
    stderr: "note: waiting 0.02 s: HTTP 429: Slow down\n",
  })
})

const threeSeconds = { status: 429, message: "Slow down.", headers: { "retry-after": "3" } }

test.for(oneVendor)("$name: a wait of three seconds is one wait of three seconds", async vendor => {
  const { install, run } = await prepare(vendor)
  await install()

  const { stdout, server } = await run([threeSeconds, { text: "Nothing to do." }])

  expect(stdout.match(/^waiting .*$/gm)).toEqual(["waiting 3.0 s: HTTP 429: Slow down"])
  const [first, second] = server.requests
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(2_950)
})

test.for(oneVendor)("$name: Ctrl-C ends a wait, and the run", async vendor => {
  const { install, start } = await prepare(vendor)
  await install()
  const long = { ...threeSeconds, headers: { "retry-after": "100" } }

  const { running, server } = await start([long])
  await running.said("waiting 1 m 40 s")
  const interruptedAt = performance.now()
  running.kill("SIGINT")
  const { exitCode, stdout } = await running.ended

  // Far less than the wait; how fast it is to the millisecond is measured elsewhere.
  expect(performance.now() - interruptedAt).toBeLessThan(10_000)
  expect(exitCode).toBe(130)
  expect(stdout).toContain("interrupted")
  expect(server.requests.length).toBe(1)
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
