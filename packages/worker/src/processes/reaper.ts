import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { SCRIPT } from "./reaper-script.ts"

/**
 * A shell that outlives the worker by a moment: when its pipe closes it ends the groups that are
 * still registered and, on Linux, whatever else carries the worker's tag in its environment. Then it
 * writes the receipts that the worker could not write any more. It also makes the FIFOs, which Node
 * cannot.
 */
export interface Reaper {
  /** Named pipes for outputs; empty where the system has none. */
  readonly fifos: readonly string[]
  register(group: number): void
  release(group: number): void
  /** A process is about to start: its receipt is the reaper's if it does not get one before. */
  begin(process: { id: string; contained: boolean }): void
  /** Its receipt is written. */
  finish(id: string): void
  /** Puts a new FIFO in the place of one that a stray still holds. Resolves when it is there. */
  renew(fifo: string): Promise<void>
  /** Ends what is still registered or tagged and removes the FIFOs. Resolves when that is done. */
  dismiss(): Promise<void>
}

export type ReaperOptions = {
  tag: string
  /** A folder of this worker's own, where the FIFOs are made. */
  folder: string
  slots: number
  /** Where processes have their folders: `<artifacts>/processes`. */
  records: string
  /** How much of an output a preview shows. */
  previewBytes: number
  /** Where the shell finds its programs. */
  path: string
}

/** Resolves when the reaper listens and its FIFOs are there. */
export async function startReaper(options: ReaperOptions): Promise<Reaper> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const names = Array.from({ length: options.slots }, (_, slot) => join(options.folder, `${slot}`))
  const { tag, folder, records, previewBytes } = options
  const child = spawn(
    "/bin/sh",
    ["-c", SCRIPT, "harness-reaper", tag, folder, records, `${previewBytes}`, ...names],
    { cwd: "/", detached: true, env: { PATH: options.path }, stdio: ["pipe", "pipe", "ignore"] },
  )
  const gone = new Promise<void>(resolve => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  // The shell may be gone: that must not end the worker too.
  child.stdin.on("error", () => undefined)

  // Each write wakes the shell. That a receipt is written it sees by itself: this is for its memory.
  let later = ""
  const tell = (line: string) => {
    child.stdin.write(`${later}${line}\n`)
    later = ""
  }

  const answers = answersOf(child.stdout)
  const first = await answers.next()
  return {
    fifos: first === "fifos" ? names : [],
    register: group => tell(`+${group}`),
    release: group => tell(`-${group}`),
    begin({ id, contained }) {
      const seconds = Math.floor(Date.now() / 1_000)
      tell(`b${id}:${seconds}:${contained ? "contained" : ""}`)
    },
    finish(id) {
      later += `f${id}\n`
    },
    async renew(fifo) {
      tell(`m${fifo}`)
      await answers.next()
    },
    async dismiss() {
      child.stdin.end(later)
      await gone
    },
  }
}

/** The shell's lines, each to the one who asked first; undefined once it is gone. */
function answersOf(stdout: Readable): { next(): Promise<string | undefined> } {
  const waiting: ((line: string | undefined) => void)[] = []
  let rest = ""
  let over = false

  stdout.setEncoding("utf8")
  stdout.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) waiting.shift()?.(line)
  })
  stdout.on("error", () => undefined)
  stdout.on("close", () => {
    over = true
    for (const resolve of waiting.splice(0)) resolve(undefined)
  })
  return {
    next: () =>
      new Promise(resolve => {
        if (over) resolve(undefined)
        else waiting.push(resolve)
      }),
  }
}
