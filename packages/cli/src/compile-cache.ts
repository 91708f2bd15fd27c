import { statSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"

/**
 * Keeps compiled code in the home, so that a later start compiles nothing again (a third of a short
 * run). Only in a home that is there and that nobody else can enter: what lies in the cache is run.
 */
export function keepCompiledCode(home: string): void {
  if (isPrivateFolder(home)) enableCompileCache(join(home, "cache", "compile"))
}

/** Windows has neither owners nor modes to look at: a profile's folder is private there. */
function isPrivateFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory()) return false
  return process.getuid === undefined || (found.uid === process.getuid() && isClosed(found.mode))
}

function isClosed(mode: number): boolean {
  return (mode & 0o077) === 0
}
