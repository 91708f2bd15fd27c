import { type JsonObject, type ProcessEnd, type ProcessReceipt, z } from "@harness/sdk"

/** The id of a process, as a result gives it; `output:<id>` is taken too. */
export const ProcessId = z.string().min(1)

/** A process as it is now: what it has printed last, and how it ended if it has. */
export function stateOf({ receipt, preview }: ProcessEnd): JsonObject {
  const { exit_code, signal, output_sha256, dropped_bytes, truncated, reason } = receipt
  const hint = receipt.containment?.hint
  return {
    ...inShort(receipt),
    output: preview,
    sha256: output_sha256,
    truncated,
    exit_code,
    ...(signal !== null && { signal }),
    ...(dropped_bytes > 0 && { dropped_bytes }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
  }
}

/** What is the same for one that runs and one that has ended. */
export function inShort(receipt: ProcessReceipt): JsonObject {
  const { id, status, elapsed_seconds, output_bytes, output_id } = receipt
  return { id, status, elapsed_seconds, output_bytes, output_id }
}

export function unknownProcess(id: string): JsonObject {
  const message = `There is no process ${id} in this conversation. list_processes() has those that were started.`
  return { error: "not_found", id, message }
}
