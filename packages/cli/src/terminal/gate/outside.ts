import { spawn } from "node:child_process"
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Invocation } from "../../invocation.ts"
import type { Suspend } from "../contracts.ts"

/** What another program needs: the terminal, and the variables that name the program. */
export type Outside = { env: Invocation["env"]; suspend: Suspend }

export type Written = { status: "written"; text: string } | { status: "failed"; reason: string }

/**
 * Lets the person write a text in their editor (`VISUAL`, `EDITOR`, else `vi`), in a file that only they
 * can read and that is gone afterwards.
 */
export function writtenInEditor(
  { name, text }: { name: string; text: string },
  { env, suspend }: Outside,
): Promise<Written> {
  return withFile({ name, text, mode: 0o600 }, async path => {
    const failed = await run(env.VISUAL || env.EDITOR || "vi", path, { env, suspend })
    if (failed !== null) return { status: "failed", reason: failed }
    return { status: "written", text: await readFile(path, "utf8") }
  })
}

/**
 * Shows a text in the person's pager (`PAGER`, else `less`), from a file that cannot be written.
 *
 * @returns why it could not; null when it was shown
 */
export function seenInPager(
  { name, text }: { name: string; text: string },
  { env, suspend }: Outside,
): Promise<string | null> {
  return withFile({ name, text, mode: 0o400 }, path =>
    run(env.PAGER || "less", path, { env, suspend }),
  )
}

async function withFile<Result>(
  { name, text, mode }: { name: string; text: string; mode: number },
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "harness-gate-"))
  const path = join(folder, name)
  try {
    await writeFile(path, text, { mode: 0o600, flag: "wx" })
    await chmod(path, mode)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The variable may hold arguments (`code --wait`): a shell reads it, as git lets one. */
async function run(
  program: string,
  path: string,
  { env, suspend }: Outside,
): Promise<string | null> {
  let failed: string | null = null
  await suspend(async () => {
    failed = await new Promise<string | null>(resolve => {
      const child = spawn("sh", ["-c", `${program} "$1"`, "sh", path], { env, stdio: "inherit" })
      child.once("error", error => resolve(`${program}: ${error.message}`))
      child.once("close", (code, signal) => {
        resolve(code === 0 ? null : `${program} ended with ${signal ?? code}`)
      })
    })
  })
  return failed
}
