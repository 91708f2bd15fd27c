import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"

/**
 * A shell that outlives the worker by a moment: when its pipe closes it ends the groups that are
 * still registered and, on Linux, whatever else carries the worker's tag in its environment. It
 * also makes the FIFOs, which Node cannot.
 */
export interface Reaper {
  /** Named pipes for outputs; empty where the system has none. */
  readonly fifos: readonly string[]
  register(group: number): void
  release(group: number): void
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
  /** Where the shell finds its programs. */
  path: string
}

/** Resolves when the reaper listens and its FIFOs are there. */
export async function startReaper(options: ReaperOptions): Promise<Reaper> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const names = Array.from({ length: options.slots }, (_, slot) => join(options.folder, `${slot}`))
  const child = spawn(
    "/bin/sh",
    ["-c", SCRIPT, "harness-reaper", options.tag, options.folder, ...names],
    { cwd: "/", detached: true, env: { PATH: options.path }, stdio: ["pipe", "pipe", "ignore"] },
  )
  const gone = new Promise<void>(resolve => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  // The shell may be gone: that must not end the worker too.
  child.stdin.on("error", () => undefined)

  const answers = answersOf(child.stdout)
  const first = await answers.next()
  return {
    fifos: first === "fifos" ? names : [],
    register: group => void child.stdin.write(`+${group}\n`),
    release: group => void child.stdin.write(`-${group}\n`),
    async renew(fifo) {
      child.stdin.write(`m${fifo}\n`)
      await answers.next()
    },
    async dismiss() {
      child.stdin.end()
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

/**
 * `$1` is the tag, `$2` the folder, the rest are the FIFOs. Ending is TERM, half a second, KILL; then
 * the tag is looked for until no process carries it, because one can fork while it is looked for.
 */
const SCRIPT = `
trap '' INT TERM HUP
tag=$1 folder=$2
shift 2
if mkfifo -m 600 "$@" 2>/dev/null; then echo fifos; else echo pipes; fi

groups=
while IFS= read -r line; do
  case $line in
    +*) groups="$groups \${line#+}" ;;
    -*)
      kept=
      for group in $groups; do [ "$group" = "\${line#-}" ] || kept="$kept $group"; done
      groups=$kept
      ;;
    m*)
      rm -f "\${line#m}"
      mkfifo -m 600 "\${line#m}" 2>/dev/null
      echo made
      ;;
  esac
done
exec 2>/dev/null

for group in $groups; do kill -TERM "-$group"; done
tries=0
while [ $tries -lt 10 ]; do
  alive=
  for group in $groups; do kill -0 "-$group" && alive=1; done
  [ -z "$alive" ] && break
  sleep 0.05
  tries=$((tries + 1))
done
for group in $groups; do kill -KILL "-$group"; done

rounds=0
while [ -d /proc/self ] && [ $rounds -lt 20 ]; do
  found=
  for file in $(grep -lzxF "HARNESS_SESSION=$tag" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" && found=1
  done
  [ -z "$found" ] && break
  rounds=$((rounds + 1))
done

rm -f "$@"
rmdir "$folder"
`
