import { cp } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { runCli } from "../../support/run-cli.ts"
import { shareCache } from "../../support/share-cache.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** An empty HARNESS_HOME that is gone after the test. */
export async function emptyHome(): Promise<TemporaryFolder> {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  return home
}

/** HARNESS_HOMEs in which the kind `project` is linked. */
export interface Homes {
  /** A home of the test's own, gone after it. */
  fresh(): Promise<TemporaryFolder>
  remove(): Promise<void>
}

/** Installs once, by the command itself; each test then works on a copy. */
export async function prepareHomes(): Promise<Homes> {
  const installed = await temporaryFolder()
  const install = ["install", "./packages/workspace", "--link", "--yes"]
  const { exitCode, stderr } = await runCli(install, {
    cwd: root,
    env: { HARNESS_HOME: installed.path, NODE_COMPILE_CACHE: compiled },
  })
  if (exitCode !== 0) throw new Error(`the kind could not be linked: ${stderr}`)

  return {
    async fresh() {
      const home = await emptyHome()
      await cp(installed.path, home.path, {
        recursive: true,
        verbatimSymlinks: true,
        filter: source => source !== installed.at("cache"),
      })
      await shareCache(home)
      return home
    },
    remove: () => installed.remove(),
  }
}

/** So that the command's TypeScript is not compiled again by each process. */
export const compiled = fileURLToPath(
  new URL("../../../node_modules/.cache/compiled", import.meta.url),
)
