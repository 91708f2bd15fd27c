import type { Failure } from "@harness/protocol"
import type { Invocation } from "./invocation.ts"
import type { TurnEnd } from "./printers/printer.ts"
import { visible } from "./text/visible.ts"

type Terminal = Pick<Invocation, "stderr" | "env">

/**
 * Prints what was thrown (with HARNESS_DEBUG=1 its stack) and returns the exit code. What is not a
 * failure of ours becomes `unexpected`.
 */
export async function printThrown(error: unknown, terminal: Terminal): Promise<number> {
  const { toFailure } = await import("@harness/protocol")
  const plain = toFailure(error)
  printFailure(plain, terminal)

  if (terminal.env.HARNESS_DEBUG === "1" && error instanceof Error && error.stack) {
    terminal.stderr.write(`${visible(error.stack)}\n`)
  }
  return plain.exit
}

/** Why a turn is not simply answered, on standard error; nothing when it is. */
export function printEnding({ ending, verification }: TurnEnd, terminal: Terminal): void {
  switch (ending.status) {
    case "failed":
      printFailure(ending.failure, terminal)
      break
    case "limit_reached":
      terminal.stderr.write(visible(`limit reached (${ending.limit}): ${ending.message}\n`))
      break
    case "interrupted":
      terminal.stderr.write(visible(`interrupted: ${ending.reason}\n`))
      break
    case "answered":
      if (verification === "failed") terminal.stderr.write("verification failed\n")
  }
}

/** `error <code>: <message>` and the next step, on standard error. */
function printFailure({ code, message, next }: Failure, { stderr }: Terminal): void {
  stderr.write(visible(`error ${code}: ${message}\n`))
  if (next !== "") stderr.write(visible(`next: ${next}\n`))
}
