import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { counted, shortHash } from "../text/format.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

type RedactOptions = { reason?: string; json?: true }

/** `harness redact`: empties a content for good and says what was removed. */
export function redact(
  conversation: string,
  evidence: string,
  { reason, json }: RedactOptions,
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation
  return withKernel(invocation, async kernel => {
    const { type: _type, ...redacted } = await ask(kernel, {
      type: "redact",
      conversation,
      evidence,
      ...(reason !== undefined && { reason }),
    })
    const { sha256, bytes, removed, changed } = redacted
    if (json) {
      stdout.write(`${JSON.stringify(redacted, null, 2)}\n`)
      return 0
    }

    const what = `${shortHash(sha256)} (${counted(bytes, "byte")})`
    stdout.write(`${changed ? "redacted" : "redacted already:"} ${what}\n`)
    for (const place of removed) stdout.write(visible(`removed ${place}\n`))
    stdout.write("What the model was told of it stays in the log.\n")
    return 0
  })
}
