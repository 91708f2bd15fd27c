import type { ChildProcess } from "node:child_process"

/** Keeps the end of what the worker printed: shown when it dies. */
export function lastText(child: ChildProcess): () => string {
  let text = ""
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4_000)
  })
  return () => text
}
