import type { Json, JsonObject, Limits } from "@harness/protocol"
import { type Definition, define } from "./brand.ts"

/** A function that programs can call. Parameters in the order of positional arguments. */
export type ProgramFunction = {
  name: string
  parameters: readonly { name: string; required: boolean }[]
  description: string
}

/** Lets a host call say that it waits for a person: both clocks of the program stand still. */
export interface PersonClock {
  pause(): void
  resume(): void
}

/**
 * What a host call gives back. `refuse` raises TypeError in the program (wrong arguments); all else,
 * denials too, is data.
 */
export type HostAnswer = { ok: JsonObject } | { refuse: string }

export type ProgramRun = {
  source: string
  /**
   * Called for each function call of the program, one at a time. The runtime counts its time
   * against `program_total_seconds` only. Must not reject.
   */
  call(name: string, input: JsonObject, clock: PersonClock): Promise<HostAnswer>
  /** Called as text comes, at least every 8 KiB or 50 ms. */
  output(stream: "stdout" | "stderr", text: string): void
  signal: AbortSignal
}

/** How a program ended, and whether its variables are still there for the next one. */
export type ProgramEnd = {
  status: "ok" | "exit" | "error" | "interrupted" | "output_limit" | "killed" | "died"
  /** The argument of `sys.exit`, with `exit`. */
  exitCode: number | string | null
  /** A traceback or a sentence; null with `ok`. */
  error: string | null
  calls: number
  outputCharacters: number
  elapsedMs: number
  variablesKept: boolean
}

/** One interpreter: programs run one at a time over one namespace. */
export interface ProgramSession {
  /** Never rejects for what a program does. */
  run(program: ProgramRun): Promise<ProgramEnd>
  /** Ends the child at once. Safe to call twice. */
  dispose(): Promise<void>
}

export type ProgramSessionOptions = {
  functions: readonly ProgramFunction[]
  limits: Limits
  /** A folder of the user's for caches (a snapshot of the interpreter), kept between runs. */
  cacheFolder: string
}

export interface ProgramRuntimeBody {
  /** The language: `python`. */
  readonly name: string
  /** What the model must know about it: version, what is missing, how functions are called. */
  readonly notes: string
  /** A function's signature in the language: `read_file(path, offset=0) -> {text, sha256}`. */
  signature(name: string, parameters: readonly SignatureParameter[], returns: string): string
  /**
   * Starts an interpreter with no authority of its own. Resolves when the child is spawned; programs
   * wait until it is ready. Throws `program_runtime_failed`.
   */
  start(options: ProgramSessionOptions): Promise<ProgramSession>
}

export type SignatureParameter = {
  name: string
  required: boolean
  /** In JSON Schema's words: string, integer, number, boolean, array, object; several with `|`. */
  type: string
  default?: Json
}

export type ProgramRuntimeDefinition = ProgramRuntimeBody & Definition<"programs">

export function defineProgramRuntime(body: ProgramRuntimeBody): ProgramRuntimeDefinition {
  return define("programs", body)
}
