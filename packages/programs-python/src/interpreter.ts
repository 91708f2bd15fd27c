import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import type { ProgramSessionOptions } from "@harness/sdk"
import { type Child, type Machine, startChild } from "./child-process.ts"
import type { Hello } from "./frames.ts"
import type { Layout } from "./layout.ts"
import { snapshotPath, writeSnapshot } from "./snapshot.ts"

export type InterpreterOptions = ProgramSessionOptions & {
  layout: Layout
  prelude: Hello["prelude"]
}

export type Ready = { status: "ready"; child: Child } | { status: "failed"; reason: string }

/** A Python that is starting or has started. */
export interface Interpreter {
  /** Rejects if the system refuses a process. */
  readonly spawned: Promise<void>
  /** Never rejects. */
  readonly ready: Promise<Ready>
  /** False once its process has ended or could not start. */
  alive(): boolean
  /** Ends it, also while it starts; resolves when the process is gone. */
  end(reason: string): Promise<void>
}

/** Generous: 11 s were seen on a machine under heavy load. */
const START_LIMIT_MS = 60_000

/**
 * Starts an interpreter from the snapshot in the cache folder. Without one it loads plainly and
 * leaves a snapshot for the next; one that is damaged is thrown away and made anew.
 */
export function startInterpreter(options: InterpreterOptions, machine: Machine): Interpreter {
  const { cacheFolder, layout, prelude } = options
  const file = snapshotPath(cacheFolder, layout.pyodideVersion, prelude)
  let child: Child | null = null
  let endReason: string | null = null
  let gone = false

  const spawn = async (fromSnapshot: boolean): Promise<Child> => {
    const hello = {
      snapshotFile: fromSnapshot ? file : null,
      sendSnapshot: !fromSnapshot,
      prelude: fromSnapshot ? [] : prelude,
      memoryLimitBytes: options.limits.program_memory_bytes,
      functions: options.functions,
    }
    const started = await startChild({ layout, hello, cacheFolder }, machine)
    child = started
    gone = false
    void started.ended.then(() => {
      gone = true
    })
    if (endReason !== null) started.kill(endReason)
    return started
  }

  const fromSnapshot = existsSync(file)
  const first = spawn(fromSnapshot)
  const start = async (): Promise<Ready> => {
    const ready = await greet(await first, file)
    if (ready.status === "ready" || !fromSnapshot || endReason !== null) return ready
    await rm(file, { force: true })
    return greet(await spawn(false), file)
  }

  const spawned = first.then(() => {})
  // Only the first interpreter of a session has somebody who waits for this.
  spawned.catch(() => {})
  const ready = start()
    .catch((error: unknown): Ready => ({ status: "failed", reason: String(error) }))
    .then(result => {
      if (result.status === "failed") gone = true
      return result
    })

  return {
    spawned,
    ready,
    alive: () => !gone,
    async end(reason) {
      endReason ??= reason
      child?.kill(reason)
      await first.catch(() => {})
      await child?.ended
    },
  }
}

/** Waits until a process says that it is ready; keeps the snapshot that it may send before. */
async function greet(child: Child, snapshotFile: string): Promise<Ready> {
  const writer = writeSnapshot(snapshotFile)
  const timer = setTimeout(() => child.kill("it took longer than 60 s"), START_LIMIT_MS)
  let reason: string | null = null

  const said = new Promise<Ready>(resolve => {
    child.listen(message => {
      if (message.type === "snapshot") return writer.piece(message.piece)
      if (message.type === "ready") return resolve({ status: "ready", child })
      if (message.type === "failed") reason = message.reason
      else child.kill(`it said ${message.type} before it was ready`)
    })
    void child.ended.then(({ killed, code, signal, stderr }) => {
      const why = reason ?? killed ?? (stderr.trim() || `it ended with ${signal ?? `code ${code}`}`)
      resolve({ status: "failed", reason: why })
    })
  })
  const ready = await said
  clearTimeout(timer)
  child.listen(message => child.kill(`it said ${message.type} before a program ran`))
  writer.close()
  return ready
}
