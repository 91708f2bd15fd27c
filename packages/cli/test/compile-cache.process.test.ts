import { chmod } from "node:fs/promises"
import { expect, onTestFinished, test } from "vitest"
import { runCli } from "../../../tests/support/run-cli.ts"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"

/** The folders that `harness list` leaves in a home of that mode. */
async function leftIn(mode: number): Promise<string[]> {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  await chmod(home.path, mode)

  const { exitCode } = await runCli(["list"], { env: { HARNESS_HOME: home.path } })
  expect(exitCode).toBe(0)
  const files = Object.keys(await home.files())
  return [...new Set(files.map(file => file.split("/").slice(0, 2).join("/")))]
}

test("compiled code is kept in a home of one's own", async () => {
  expect(await leftIn(0o700)).toEqual(["cache/compile"])
})

test("nothing is kept, and so nothing run, from a home that others can enter", async () => {
  expect(await leftIn(0o777)).toEqual([])
})
