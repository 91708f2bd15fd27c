import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { JsonObject } from "@harness/protocol"
import type { Environment } from "../config/home.ts"
import { createRedactor, redactAll } from "./redact.ts"

/** What happened, for whoever looks for the cause of a fault; never what a conversation is about. */
export type LogEntry = { level: "info" | "warn" | "error"; event: string } & JsonObject

/** The log of this machine, in HARNESS_HOME/logs. */
export interface LocalLog {
  /** Writes one line at once. Never throws: a log that cannot be written changes nothing else. */
  record(entry: LogEntry): void
  /** Redacts a secret that is in no variable from now on. */
  hide(secret: string): void
}

/** At this size the file becomes `harness.log.1`. */
const maxBytes = 5 * 1_048_576

/** Besides the one that is written: `harness.log.1` and `harness.log.2`. */
const keptFiles = 2

/**
 * The local log: JSON lines in `logs/harness.log`, for their owner alone, bounded, with secrets
 * redacted. pino is loaded with the first line. Writing is synchronous, for the last line before an
 * end is the one that matters.
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
  let write: ((entry: LogEntry) => void) | undefined

  return {
    record(entry) {
      try {
        write ??= writerTo(file, { redact: createRedactor(env, [...hidden]), clock })
        write(entry)
      } catch {
        // A full disk, a home that is read-only or not there: nobody can be told, and a run goes on.
      }
    },
    hide(secret) {
      hidden.add(secret)
      write = undefined
    },
  }
}

function writerTo(
  file: string,
  { redact, clock }: { redact: (text: string) => string; clock: () => number },
) {
  const pino = loadPino()
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
    },
    { write: line => append(file, line) },
  )
  return ({ level, ...fields }: LogEntry) => {
    logger[level](redactAll(fields, redact))
  }
}

/** Only here, and in one step: what is told of an uncaught error cannot wait for an import. */
function loadPino(): typeof import("pino") {
  return createRequire(import.meta.url)("pino")
}

/** Lines of several processes do not mix: each is one write at the end of the file. */
function append(file: string, line: string): void {
  makeFolder(dirname(file))
  rotate(file)
  const descriptor = openSync(file, "a", 0o600)
  try {
    writeSync(descriptor, line)
  } finally {
    closeSync(descriptor)
  }
}

/** Not the home: a command that only looks leaves none behind. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < maxBytes) return
  for (let number = keptFiles; number >= 1; number -= 1) {
    const from = number === 1 ? file : `${file}.${number - 1}`
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${number}`)
  }
}
