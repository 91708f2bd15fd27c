import { createInterface } from "node:readline"
import type { Input, Output } from "./invocation.ts"

type Asking = {
  question: string
  stdin: Input
  stderr: Output
  signal: AbortSignal
}

/**
 * Asks a question that is answered by `y` or `yes`; anything else, the end of the input and an abort
 * of `signal` mean no. The line discipline stays the terminal's own, so that Ctrl-C is a signal.
 */
export async function confirm({ question, ...asking }: Asking): Promise<boolean> {
  const line = await askLine({ ...asking, question: `${question} [y/N]` })
  return line !== null && /^\s*y(es)?\s*$/i.test(line)
}

/** Asks for a line of text; null at the end of the input, or when `signal` is aborted. */
export function askLine({ question, stdin, stderr, signal }: Asking): Promise<string | null> {
  stderr.write(`${question} `)
  const lines = createInterface({ input: stdin.open(), terminal: false })

  return new Promise(resolve => {
    const settle = (line: string | null) => {
      signal.removeEventListener("abort", none)
      resolve(line)
      lines.close()
    }
    const none = () => settle(null)

    lines.once("line", settle)
    lines.once("close", none)
    // A terminal that is lost fails to be read.
    lines.once("error", none)
    if (signal.aborted) none()
    else signal.addEventListener("abort", none, { once: true })
  })
}
