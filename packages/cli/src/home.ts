import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { Invocation } from "./invocation.ts"

/** HARNESS_HOME, else `.harness` in the user's own folder; absolute. */
export function homeIn(env: Invocation["env"], cwd: string): string {
  if (env.HARNESS_HOME) return resolve(cwd, env.HARNESS_HOME)
  return join(env.HOME || homedir(), ".harness")
}
