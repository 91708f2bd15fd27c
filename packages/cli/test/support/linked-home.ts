import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { shareCache } from "../../../../tests/support/share-cache.ts"
import {
  type TemporaryFolder,
  temporaryFolder,
} from "../../../../tests/support/temporary-folder.ts"
import { harness } from "./harness.ts"

const workspace = fileURLToPath(new URL("../../../workspace", import.meta.url))

/** A fresh HARNESS_HOME in which the kind `project` is linked, by the command itself. */
export async function linkedHome(): Promise<TemporaryFolder> {
  const home = await temporaryFolder()
  await shareCache(home)
  await linkWorkspace(home.path)
  return home
}

/** Links the kind `project` in a HARNESS_HOME. */
export async function linkWorkspace(home: string): Promise<void> {
  const { exitCode, stderr } = await harness(["install", workspace, "--link", "--yes"], { home })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
}
