import { randomUUID } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type FilterOptions, filter } from "./filter.ts"

/** The file that holds a program of seccomp, written when it is not there yet. */
export type FilterStore = (options: FilterOptions) => string

/**
 * Keeps programs of seccomp as files, because bubblewrap takes one from a descriptor. The folder
 * must be out of every command's reach.
 */
export function filterStore(folder: string): FilterStore {
  const written = new Map<string, string>()
  return options => {
    const name = nameOf(options)
    const file = written.get(name) ?? stored(join(folder, name), filter(options))
    written.set(name, file)
    return file
  }
}

function nameOf({ architecture, unixSockets, debuggers }: FilterOptions): string {
  const allowed = [...(unixSockets ? ["unix"] : []), ...(debuggers ? ["debug"] : [])]
  return `${["seccomp", architecture, ...allowed].join("-")}.bpf`
}

/** Whole or not at all: another worker may write or read the same file now. */
function stored(file: string, program: Uint8Array): string {
  if (holds(file, program)) return file
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })

  const whole = `${file}.${randomUUID()}`
  writeFileSync(whole, program, { mode: 0o400, flush: true })
  chmodSync(whole, 0o400)
  renameSync(whole, file)
  return file
}

function holds(file: string, program: Uint8Array): boolean {
  try {
    return Buffer.compare(readFileSync(file), program) === 0
  } catch {
    return false
  }
}
