import { createInterface } from "node:readline"
import type { Input, Output } from "./invocation.ts"

/**
 * Asks a question that is answered by `y` or `yes`; anything else, the end of the input and an abort
 * of `signal` mean no. The line discipline stays the terminal's own, so that Ctrl-C is a signal.
 */
export function confirm(options: {
  question: string
  stdin: Input
  stderr: Output
  signal: AbortSignal
}): Promise<boolean> {
  const { question, stdin, stderr, signal } = options
  stderr.write(`${question} [y/N] `)
  const lines = createInterface({ input: stdin.open(), terminal: false })

  return new Promise(resolve => {
    const settle = (yes: boolean) => {
      signal.removeEventListener("abort", no)
      resolve(yes)
      lines.close()
    }
    const no = () => settle(false)

    lines.once("line", line => settle(/^\s*y(es)?\s*$/i.test(line)))
    lines.once("close", no)
    if (signal.aborted) no()
    else signal.addEventListener("abort", no, { once: true })
  })
}
