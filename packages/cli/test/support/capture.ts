import type { Output } from "../../src/invocation.ts"

/** An output that keeps what is written to it. */
export type Capture = Output & {
  text(): string
  /** As if the reader went away. */
  close(): void
}

export function capture(options: { isTTY?: boolean; columns?: number } = {}): Capture {
  const written: string[] = []
  const closed = new AbortController()

  return {
    isTTY: options.isTTY ?? false,
    columns: options.columns,
    closed: closed.signal,
    write(text) {
      if (!closed.signal.aborted) written.push(text)
    },
    text: () => written.join(""),
    close: () => closed.abort(),
  }
}
