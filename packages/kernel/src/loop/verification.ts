import { failure, type Verification } from "@harness/protocol"
import type { KindDefinition } from "@harness/sdk"
import type { Performer } from "../scheduler/perform.ts"
import type { Recorder } from "./recorder.ts"

/**
 * Makes the user's verification: an action on the path of every other, in the same sandbox, after
 * the answer. It passed only when the command exited with 0. Throws `verify_unsupported` at once.
 */
export function verificationBy(
  command: string,
  parts: { kind: KindDefinition; performer: Performer; recorder: Recorder },
): (turn: number, step: number, signal: AbortSignal) => Promise<Verification> {
  const planned = parts.kind.verify?.(command)
  if (planned === undefined) throw failure("verify_unsupported", { kind: parts.kind.name })

  return async (turn, step, signal) => {
    const performed = await parts.performer.perform({
      origin: { type: "verify" },
      turn,
      step,
      ...planned,
      programApproved: false,
      signal,
    })
    if (performed.status === "invalid")
      throw failure("option_invalid", {
        option: "--verify",
        value: command,
        reason: performed.message,
        command: "run",
      })

    const process = performed.receipt.process
    const passed =
      performed.status === "ok" && process?.status === "exited" && process.exit_code === 0
    const verification = passed ? "passed" : "failed"
    parts.recorder.record({
      type: "verification_ended",
      command,
      action_id: performed.actionId,
      verification,
    })
    return verification
  }
}
