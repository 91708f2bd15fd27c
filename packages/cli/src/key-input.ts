import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import type { Input, Invocation, Output } from "./invocation.ts"

/** The key as it came, with what is around it; or that nobody gave one. */
export type KeyInput =
  | { status: "read"; text: string }
  | { status: "interrupted" }
  | { status: "silent" }

/**
 * Reads a key: from a person at the terminal, without showing it, else from standard input, to the end of
 * its first line. A pipe that says nothing for `waitMs` is given up; an abort of `signal` ends both.
 */
export function readKey(
  options: Pick<Invocation, "stdin" | "stderr"> & {
    provider: string
    signal: AbortSignal
    waitMs: number
  },
): Promise<KeyInput> {
  return options.stdin.isTTY ? promptForKey(options) : readFromPipe(options)
}

/** In raw mode a terminal shows nothing by itself. Closing the interface gives it back as it was. */
function promptForKey({
  provider,
  stdin,
  stderr,
  signal,
}: {
  provider: string
  stdin: Input
  stderr: Output
  signal: AbortSignal
}): Promise<KeyInput> {
  const lines = createInterface({
    input: stdin.open(),
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: true,
    historySize: 0,
  })
  // Only now: who sees it may type at once, and what is typed before raw mode is shown.
  stderr.write(`Key for ${provider} (it is not shown): `)

  return new Promise(resolve => {
    const settle = (input: KeyInput) => {
      signal.removeEventListener("abort", interrupt)
      lines.off("close", end).close()
      stderr.write("\n")
      resolve(input)
    }
    const interrupt = () => settle({ status: "interrupted" })
    const end = () => settle({ status: "read", text: "" })

    lines.once("line", text => settle({ status: "read", text }))
    // Ctrl-C is a character in raw mode; Ctrl-D closes.
    lines.once("SIGINT", interrupt)
    lines.once("close", end)
    // A terminal that is lost fails to be read.
    lines.once("error", interrupt)
    if (signal.aborted) interrupt()
    else signal.addEventListener("abort", interrupt, { once: true })
  })
}

/** No key is longer; what is more than that is judged as it is. */
const longestText = 65_536

function readFromPipe({
  stdin,
  signal,
  waitMs,
}: {
  stdin: Input
  signal: AbortSignal
  waitMs: number
}): Promise<KeyInput> {
  const input = stdin.open()
  input.setEncoding("utf8")
  let text = ""

  return new Promise(resolve => {
    const settle = (read: KeyInput) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", interrupt)
      input.off("data", take).off("end", end).pause()
      resolve(read)
    }
    const end = () => settle({ status: "read", text })
    const take = (chunk: unknown) => {
      text += String(chunk)
      // What came after the line is part of it: a key with a line break in it must be refused.
      if (text.trimStart().includes("\n") || text.length > longestText) end()
    }
    const interrupt = () => settle({ status: "interrupted" })
    const timer = setTimeout(() => settle({ status: "silent" }), waitMs)

    // What cannot be read ends there; the listener stays, for an error without one ends the process.
    input.on("data", take).once("end", end).once("error", end)
    if (signal.aborted) interrupt()
    else signal.addEventListener("abort", interrupt, { once: true })
  })
}
