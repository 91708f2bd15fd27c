import type { Output } from "../invocation.ts"
import type { Printer } from "./printer.ts"

/** `--json`: every event as one line, and nothing else. */
export function jsonPrinter(stdout: Output): Printer {
  return {
    event: event => stdout.write(`${JSON.stringify(event)}\n`),
    ended: async () => {},
  }
}
