import type { Output } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import type { Printer } from "./printer.ts"

/** `-p`: the answer alone, and nothing when there was none. */
export function answerPrinter(stdout: Output): Printer {
  return {
    event: () => {},
    async ended({ ending, answer }) {
      if (ending.status !== "answered" || answer === "") return
      const text = answer.endsWith("\n") ? answer : `${answer}\n`
      stdout.write(stdout.isTTY ? visible(text) : text)
    },
  }
}
