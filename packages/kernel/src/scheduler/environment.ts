import type { ModuleSource, ProcessReceipt, WorkerFrame } from "@harness/protocol"
import { type ProcessListener, startWorker, type WorkerLink } from "./worker-link.ts"

type Hello = Extract<WorkerFrame, { type: "hello" }>

/** One environment of a conversation: a kind opened in a folder, held by a worker. */
export interface OpenEnvironment {
  /** The worker: the first at once, and another one when it was lost. */
  worker(): Promise<WorkerLink>
  /** Whom to tell that a lost worker was replaced: what it held is gone. */
  onReplaced(listener: () => void): void
  /** Whom to tell of processes that outlive their actions. */
  onProcesses(listener: ProcessListener): void
  /** What comes with the conversation's first message. Rejects with the worker's failure. */
  guidance(): Promise<{ name: string; text: string } | null>
  /** Whether the root's repository has uncommitted changes; null when nobody knows. Starts no worker. */
  dirty(limitMs: number): Promise<boolean | null>
  /** Files whose path holds the letters, best first. Starts no worker. */
  paths(letters: string, limit: number): Promise<string[]>
  close(): Promise<ProcessReceipt[]>
}

export type EnvironmentOptions = {
  kind: string
  module: ModuleSource
  worker: { entry: string; nodeFlags: readonly string[] }
  /** The worker's own environment. */
  env: Record<string, string>
  hello: Omit<Hello, "type" | "protocol" | "key" | "tag" | "module">
  /** Random hexadecimal of that many bytes. */
  random: (bytes: number) => string
}

/** Starts the worker at once: it gets ready while the rest of the conversation is opened. */
export function openEnvironment(options: EnvironmentOptions): OpenEnvironment {
  const tag = options.random(16)
  let link = start()
  let closing: Promise<ProcessReceipt[]> | undefined
  let replaced = () => {}
  let processes: ProcessListener | undefined

  function start(): WorkerLink {
    const { hello } = options
    return startWorker({
      ...options.worker,
      env: options.env,
      kind: options.kind,
      hello: { ...hello, tag, module: options.module },
      key: options.random(32),
      closeSeconds: hello.limits.grace_seconds + 3,
      processes: { ended: end => processes?.ended(end), lost: () => processes?.lost() },
    })
  }

  return {
    async worker() {
      const first = link
      if (first.lost && closing === undefined) {
        // A worker that never came up would not come up again: its failure is the answer.
        await first.ready
        if (link === first) {
          link = start()
          replaced()
        }
      }
      await link.ready
      return link
    },
    onReplaced(listener) {
      replaced = listener
    },
    onProcesses(listener) {
      processes = listener
    },
    async guidance() {
      return (await link.ready).guidance
    },
    dirty: limitMs => link.dirty(limitMs),
    paths: (letters, limit) => link.paths(letters, limit),
    close() {
      closing ??= link.close()
      return closing
    },
  }
}
