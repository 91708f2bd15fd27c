import type { Kernel } from "@harness/kernel"
import type { ReadEvidence } from "../printers/printer.ts"

/** What cannot be read is told as such by who prints it: it changes nothing about how a command ends. */
export function evidenceReader(
  kernel: Pick<Kernel, "dispatch">,
  conversation: string,
): ReadEvidence {
  return async sha256 => {
    const answer = await kernel.dispatch({ type: "evidence", conversation, sha256 })
    if (answer.type === "failed" || answer.content.status !== "found") return null
    return Buffer.from(answer.content.base64, "base64")
  }
}
