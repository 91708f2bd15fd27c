import type { Output } from "../invocation.ts"
import { visible } from "../text/visible.ts"

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
}

export function pageOn(output: Output): Page {
  /** The last characters written: whether a line is open, and whether an empty one is above. */
  let tail = "\n\n"

  const write = (text: string) => {
    output.write(text)
    tail = (tail + text).slice(-2)
  }
  const close = () => {
    if (!tail.endsWith("\n")) write("\n")
  }

  return {
    columns: output.columns ?? 80,
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
