import type { Kernel } from "@harness/kernel"

/** One call of `harness`: all that it takes from the process around it, so that a test can be one. */
export type Invocation = {
  /** The words after the command's name. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  cwd: string
  stdin: Input
  stdout: Output
  stderr: Output
  signals: SignalSource
  compose: Compose
  /** The streams of the terminal themselves, for what draws on it; opened when it is asked for. */
  screen(): Screen
}

/** Standard input and output as streams of a terminal. */
export type Screen = { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }

/** Makes the kernel that a command works with. */
export type Compose = (context: Pick<Invocation, "env" | "cwd">) => Promise<Kernel>

/** How a call ended. */
export type Exit = {
  code: number
  /** True when what is still open is not to be waited for: the second signal of a person. */
  now?: boolean
}

export interface Input {
  readonly isTTY: boolean
  /** Opens the stream. Not called unless something is read: an idle pipe must not hold a run. */
  open(): NodeJS.ReadableStream
}

export interface Output {
  readonly isTTY: boolean
  /** Columns of the terminal; undefined for a file or a pipe. */
  readonly columns: number | undefined
  /** Aborted when the reader went away (EPIPE); what is written after that is dropped. */
  readonly closed: AbortSignal
  write(text: string): void
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP"

/** The part of `process` that tells of signals. */
export interface SignalSource {
  on(signal: SignalName, listener: () => void): unknown
  off(signal: SignalName, listener: () => void): unknown
}
