import type { Output } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import { clipped } from "../text/width.ts"

/** Where lines and streamed text meet: a line never starts in the middle of another. */
export interface Page {
  /** Columns that a line has. */
  readonly columns: number
  /** Own lines, already painted; an empty text is an empty line. */
  lines(...lines: string[]): void
  /** An empty line, unless the last one is. */
  gap(): void
  /** A piece of somebody else's text, as it comes; shown harmless. */
  stream(text: string): void
  /** True on a terminal: elsewhere a transient line is never shown. */
  readonly showsTransient: boolean
  /** A line that is gone with the next text, or with another one of its kind; empty for none. */
  transient(line: string): void
}

/** To the beginning of the line, and the line is empty. */
const ERASED = "\r\u001b[2K"

export function pageOn(output: Output): Page {
  /** The last characters written: whether a line is open, and whether an empty one is above. */
  let tail = "\n\n"
  let isTransient = false

  const erase = () => {
    if (isTransient) output.write(ERASED)
    isTransient = false
  }
  const write = (text: string) => {
    erase()
    output.write(text)
    tail = (tail + text).slice(-2)
  }
  const close = () => {
    if (!tail.endsWith("\n")) write("\n")
  }

  return {
    columns: output.columns ?? 80,
    showsTransient: output.isTTY,
    transient(line) {
      erase()
      if (!output.isTTY || line === "" || !tail.endsWith("\n")) return
      // A line as wide as the terminal would already be wrapped by some.
      output.write(clipped(line, (output.columns ?? 80) - 1))
      isTransient = true
    },
    lines(...lines) {
      close()
      for (const line of lines) write(`${line}\n`)
    },
    gap() {
      close()
      if (tail !== "\n\n") write("\n")
    },
    stream(text) {
      if (text !== "") write(visible(text))
    },
  }
}
