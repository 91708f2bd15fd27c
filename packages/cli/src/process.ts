import type { WriteStream } from "node:tty"
import { isatty } from "node:tty"
import { keepCompiledCode } from "./compile-cache.ts"
import { homeIn } from "./home.ts"
import type { Input, Invocation, Output } from "./invocation.ts"
import { parseWithoutCompiling } from "./schemas.ts"

/**
 * Runs `harness` as this process: its streams, signals and exit code. `changes` replaces parts of
 * what the command takes from it.
 */
export async function runHere(
  argv: readonly string[],
  changes: Partial<Invocation> = {},
): Promise<void> {
  keepCompiledCode(homeIn(process.env, process.cwd()))
  parseWithoutCompiling()
  const { main } = await import("./command-line.ts")
  const { code, now } = await main({
    argv,
    env: process.env,
    cwd: process.cwd(),
    stdin: standardInput(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    signals: process,
    compose: async context => (await import("./compose.ts")).compose(context),
    screen: () => ({ stdin: process.stdin, stdout: process.stdout }),
    ...changes,
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
