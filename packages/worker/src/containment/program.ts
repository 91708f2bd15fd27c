import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { codeOf } from "../thrown.ts"

/** Where a program is looked for when the command's environment has no PATH. */
const DEFAULT_PATH = "/bin:/usr/bin"

/** The longest first line that Linux reads for an interpreter. */
const FIRST_LINE_BYTES = 256

/**
 * Why a program could not be started, as the system would say it (`ENOENT`, `EACCES`, …); undefined
 * when it can. A sandbox starts by itself in any case, so nobody else would say it.
 */
export function obstacleTo(
  program: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): string | undefined {
  if (program === "") return "ENOENT"
  if (program.includes("/")) return obstacleAt(resolve(cwd, program), cwd)

  let first: string | undefined
  for (const folder of (env.PATH ?? DEFAULT_PATH).split(":")) {
    const obstacle = obstacleAt(resolve(cwd, folder, program), cwd)
    if (obstacle === undefined) return undefined
    // One that is there but may not be executed says more than all that are not.
    if (obstacle !== "ENOENT") first ??= obstacle
  }
  return first ?? "ENOENT"
}

function obstacleAt(file: string, cwd: string): string | undefined {
  try {
    // Most folders of a PATH do not have it: nothing is thrown for each of them.
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return "ENOENT"
    if (!stats.isFile()) return "EACCES"
    accessSync(file, constants.X_OK)
  } catch (error) {
    return codeOf(error) === "ENOTDIR" ? "ENOENT" : codeOf(error)
  }

  const interpreter = interpreterOf(file)
  return interpreter === undefined ? undefined : obstacleAt(resolve(cwd, interpreter), cwd)
}

/** What `#!` names; undefined for a binary, and for what may be executed but not read. */
function interpreterOf(file: string): string | undefined {
  try {
    // Not waiting for anyone: it may have become a FIFO since it was looked at.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const line = Buffer.alloc(FIRST_LINE_BYTES)
      readSync(descriptor, line, 0, line.length, 0)
      return /^#![ \t]*([^\s\0]+)/.exec(line.toString())?.[1]
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
