import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** A new empty folder, by its real path, that is removed when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "harness-kernel-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What a call throws or rejects with; fails the test when it does neither. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}
