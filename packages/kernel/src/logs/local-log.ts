import { createRequire } from "node:module"
import { join } from "node:path"
import type { JsonObject } from "@harness/protocol"
import type { Environment } from "../config/home.ts"
import { appendLines } from "./log-file.ts"
import { createRedactor, redactAll } from "./redact.ts"

/** What happened, for whoever looks for a cause; never what a conversation is about. */
export type LogEntry = { level: "info" | "warn" | "error"; event: string } & JsonObject

/** The log of this machine, in HARNESS_HOME/logs. Never throws: what cannot be written changes nothing else. */
export interface LocalLog {
  /** Writes one line at once. */
  record(entry: LogEntry): void
  /**
   * Keeps a line that can wait, whose fields have names of our own. It is written with others of its kind: before the next line that
   * cannot wait, by `flush`, or within seconds; a process that is killed before that loses it.
   */
  defer(entry: LogEntry): void
  /** Writes what waits. */
  flush(): void
  /** Redacts a secret that is in no variable from now on. */
  hide(secret: string): void
}

/** How long a line waits at most, and how many wait. */
const waitMs = 5_000
const mostDeferred = 500

/**
 * The local log: JSON lines in `logs/harness.log`, for their owner alone, bounded, with secrets
 * redacted. Lines that cannot wait are pino's, which is loaded with the first of them. Lines that can
 * wait have the same form and are made here, for to load pino costs more than a run's lines together.
 * Writing is synchronous, for the last line before an end is the one that matters.
 *
 * @example
 * const log = createLocalLog({ home, env: process.env, clock: Date.now })
 * log.record({ level: "error", event: "uncaught", message: error.message })
 */
export function createLocalLog(options: {
  home: string
  env: Environment
  clock: () => number
}): LocalLog {
  const { home, env, clock } = options
  const file = join(home, "logs", "harness.log")
  const hidden = new Set<string>()
  let redactor: Redact | undefined
  let write: ((entry: LogEntry) => void) | undefined
  let deferred: { entry: LogEntry; atMs: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function redact(text: string): string {
    redactor ??= createRedactor(env, [...hidden])
    return redactor(text)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const waiting = deferred
    deferred = []
    if (waiting.length === 0) return
    try {
      const redactOnce = remembering(redact)
      const lines = waiting.map(({ entry, atMs }) => lineOf(entry, { atMs, redact: redactOnce }))
      appendLines(file, lines.join(""))
    } catch {
      // A full disk, a home that is read-only or not there: nobody can be told, and a run goes on.
    }
  }

  return {
    flush,
    defer(entry) {
      deferred.push({ entry, atMs: clock() })
      if (deferred.length >= mostDeferred) flush()
      else timer ??= setTimeout(flush, waitMs).unref()
    },
    record(entry) {
      flush()
      try {
        write ??= writerTo(file, { redact, clock })
        write(entry)
      } catch {
        // As above.
      }
    },
    hide(secret) {
      hidden.add(secret)
      redactor = undefined
    },
  }
}

type Redact = (text: string) => string

function writerTo(file: string, { redact, clock }: { redact: Redact; clock: () => number }) {
  const pino = loadPino()
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
    },
    { write: line => appendLines(file, line) },
  )
  return ({ level, ...fields }: LogEntry) => {
    logger[level](redactAll(fields, redact))
  }
}

/** Only here, and in one step: what is told of an uncaught error cannot wait for an import. */
function loadPino(): typeof import("pino") {
  return createRequire(import.meta.url)("pino")
}

/** A line as pino writes it. */
function lineOf(
  { level, ...fields }: LogEntry,
  { atMs, redact }: { atMs: number; redact: Redact },
): string {
  const head = { level, time: new Date(atMs).toISOString(), pid: process.pid }
  const redacted = Object.entries(fields).map(([name, value]) => [name, redactAll(value, redact)])
  return `${JSON.stringify({ ...head, ...Object.fromEntries(redacted) })}\n`
}

/** Lines of steps say the same words again and again. */
function remembering(redact: Redact): Redact {
  const known = new Map<string, string>()
  return text => {
    const redacted = known.get(text) ?? redact(text)
    known.set(text, redacted)
    return redacted
  }
}
