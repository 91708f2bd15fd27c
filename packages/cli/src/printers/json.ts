import type { Output } from "../invocation.ts"
import type { Printer } from "./printer.ts"

/** `--json`: every event as one line, and nothing else; what may show a secret is for a person alone. */
export function jsonPrinter(stdout: Output): Printer {
  return {
    event(event) {
      if (event.type !== "request_preview") stdout.write(`${JSON.stringify(event)}\n`)
    },
    ended: async () => {},
  }
}
