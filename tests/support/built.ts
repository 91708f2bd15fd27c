import { execFile } from "node:child_process"
import { globSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/**
 * Before the tests of processes: builds the command where a source is newer than what was built. The
 * tests then start what users start, in half the time that it takes from source.
 */
export async function setup(): Promise<void> {
  if (isUpToDate()) return
  await promisify(execFile)(process.execPath, ["--run", "bundle"], { cwd: root })
}

const root = fileURLToPath(new URL("../..", import.meta.url))

const sources = [
  "{packages,plugins}/*/src/**/*",
  "{packages,plugins}/*/package.json",
  "scripts/support/*.mjs",
  "tsup.config.ts",
  "pnpm-lock.yaml",
]

function isUpToDate(): boolean {
  const built = changedMs("packages/cli/dist/main.js")
  return globSync(sources, { cwd: root }).every(file => changedMs(file) <= built)
}

/** 0 for what is not there. */
function changedMs(file: string): number {
  return (
    statSync(new URL(`../../${file}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
  )
}
