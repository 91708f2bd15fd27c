import type { ChildProcess, spawn as nodeSpawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pathToFileURL } from "node:url"
import { createFrameReader, encodeFrame, fromHost, type Hello } from "./frames.ts"
import type { Layout } from "./layout.ts"
import { type ChildMessage, readMessage } from "./messages.ts"

/** What a process needs of the machine. */
export type Machine = {
  spawn: typeof nodeSpawn
  /** The Node that runs the interpreter. */
  nodePath: string
}

export type ChildOptions = {
  layout: Layout
  hello: Omit<Hello, "pyodideUrl">
  /** Where the short-lived file for the stop number is made. */
  cacheFolder: string
}

export type ChildEnded = {
  /** Why we killed it; null when it ended by itself. */
  killed: string | null
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of what it wrote to stderr. */
  stderr: string
}

/** A process with an interpreter in it, and the frames to and from it. */
export interface Child {
  readonly pid: number
  /** Who gets its messages. One that is not understood, or has no listener, ends the process. */
  listen(listener: (message: ChildMessage) => void): void
  send(kind: number, body: string | Uint8Array): void
  /** The number at which a program that starts now goes on undisturbed. */
  stopNumber(): number
  /** Asks the program that runs to stop, as Ctrl-C does. */
  askToStop(): void
  kill(reason: string): void
  /** Resolves once it has ended, whatever the reason. */
  readonly ended: Promise<ChildEnded>
}

const STDERR_CHARACTERS = 4_000

/** JavaScript's own heap. Python's memory is not in it. */
const HEAP_MEBIBYTES = 256

/** Spawns the process and says hello to it. Throws if the system refuses; rejects as spawn does. */
export async function startChild(options: ChildOptions, machine: Machine): Promise<Child> {
  const { layout, hello, cacheFolder } = options
  const stop = openStopFile(cacheFolder)
  const child = machine.spawn(machine.nodePath, childArguments(options), {
    cwd: layout.pyodideFolder,
    env: {},
    // Its own group: Ctrl-C in the terminal is ours to translate.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", stop],
  })
  const { pid, input, output } = await spawned(child).catch((error: unknown) => {
    closeSync(stop)
    throw error
  })

  let killed: string | null = null
  let listener: ((message: ChildMessage) => void) | null = null
  let stopNumber = 0
  const stderr = collectStderr(child)

  const kill = (reason: string) => {
    killed ??= reason
    child.kill("SIGKILL")
  }
  const reader = createFrameReader(frame => {
    if (killed !== null) return
    const message = readMessage(frame)
    if (message && listener) listener(message)
    else kill(`the interpreter sent a frame of kind ${frame.kind} that was not expected`)
  })
  output.on("data", (chunk: Buffer) => {
    if (!reader.push(chunk)) kill("the interpreter sent a frame of a size that is not allowed")
  })
  // EPIPE and the like: the end of the process says it all.
  for (const pipe of [input, output]) pipe.on("error", () => {})

  const ended = new Promise<ChildEnded>(resolve => {
    child.once("close", (code, signal) => {
      closeSync(stop)
      resolve({ killed, code, signal, stderr: stderr() })
    })
  })
  const pyodideUrl = `${pathToFileURL(layout.pyodideFolder)}/`
  input.write(encodeFrame(fromHost.hello, JSON.stringify({ ...hello, pyodideUrl })))

  return {
    pid,
    ended,
    kill,
    listen(next) {
      listener = next
    },
    send(kind, body) {
      input.write(encodeFrame(kind, body))
    },
    stopNumber: () => stopNumber,
    askToStop() {
      stopNumber = (stopNumber + 1) % 256
      writeSync(stop, Buffer.of(stopNumber), 0, 1, 0)
    },
  }
}

function childArguments({ layout, hello }: ChildOptions): string[] {
  const readable = [...layout.readable]
  if (hello.snapshotFile !== null) readable.push(hello.snapshotFile)
  return [
    "--permission",
    ...readable.map(path => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    // Python allocates in WebAssembly; a small nursery saves 10 MiB.
    "--max-semi-space-size=1",
    "--expose-gc",
    layout.childFile,
  ]
}

/** A file without a name that both sides hold open: the child polls one byte of it. */
function openStopFile(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `stop-${process.pid}-${randomBytes(8).toString("hex")}`)
  const descriptor = openSync(file, "wx+", 0o600)
  rmSync(file)
  writeSync(descriptor, Buffer.of(0), 0, 1, 0)
  return descriptor
}

async function spawned(
  child: ChildProcess,
): Promise<{ pid: number; input: Writable; output: Readable }> {
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve)
    child.on("error", reject)
  })
  const { pid, stdio } = child
  const [, , , input, output] = stdio
  if (pid === undefined || !(input instanceof Writable) || !(output instanceof Readable)) {
    throw new Error("the process has no pipes")
  }
  return { pid, input, output }
}

function collectStderr(child: ChildProcess): () => string {
  let text = ""
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    text = (text + piece).slice(-STDERR_CHARACTERS)
  })
  return () => text
}
