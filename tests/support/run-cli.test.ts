import { readFile } from "node:fs/promises"
import { expect, onTestFinished, test } from "vitest"
import { runCli, startCli } from "./run-cli.ts"
import { temporaryFolder } from "./temporary-folder.ts"

async function emptyHome() {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  return { HARNESS_HOME: home.path }
}

test("the command line runs as it is built and gives its exit code and both outputs", async () => {
  const manifest = new URL("../../packages/cli/package.json", import.meta.url)
  const { version } = JSON.parse(await readFile(manifest, "utf8"))

  expect(await runCli(["--version"], { env: await emptyHome() })).toEqual({
    exitCode: 0,
    signal: null,
    stdout: `${version}\n`,
    stderr: "",
  })
})

test("a command that is running can be waited for by what it says", async () => {
  const cli = startCli(["--help"], { env: await emptyHome() })

  await cli.said("print the options of a command")

  expect((await cli.ended).exitCode).toBe(0)
})
