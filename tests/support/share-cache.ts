import { mkdir, symlink } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { TemporaryFolder } from "./temporary-folder.ts"

/**
 * Gives a HARNESS_HOME the cache that all homes of tests have: to load Python without its snapshot,
 * and to compile the worker, takes seconds. What is in there has names by content and appears whole.
 */
export async function shareCache(home: TemporaryFolder): Promise<void> {
  await mkdir(cache, { recursive: true, mode: 0o700 })
  await symlink(cache, home.at("cache"))
}

const cache = fileURLToPath(new URL("../../node_modules/.cache/home", import.meta.url))
