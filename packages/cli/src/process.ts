import type { WriteStream } from "node:tty"
import { isatty } from "node:tty"
import { main } from "./command-line.ts"
import type { Input, Output } from "./invocation.ts"

/** Runs `harness` as this process: its streams, signals and exit code. */
export async function runHere(argv: readonly string[]): Promise<void> {
  const { code, now } = await main({
    argv,
    env: process.env,
    cwd: process.cwd(),
    stdin: standardInput(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    signals: process,
    compose: async context => (await import("./compose.ts")).compose(context),
  })

  process.exitCode = code
  if (now) process.exit()
}

/** Whether it is a terminal is asked of the descriptor: the stream opens when something reads. */
function standardInput(): Input {
  return { isTTY: isatty(0), open: () => process.stdin }
}

function outputOf(stream: WriteStream): Output {
  const closed = new AbortController()
  stream.on("error", () => closed.abort())

  return {
    isTTY: Boolean(stream.isTTY),
    get columns() {
      return stream.isTTY ? stream.columns : undefined
    },
    closed: closed.signal,
    write(text) {
      if (!closed.signal.aborted) stream.write(text)
    },
  }
}
