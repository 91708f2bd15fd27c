import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { DurableEvent, EventBody, ProcessReceipt } from "@harness/protocol"
import { receiptOf } from "../audit/expected.ts"
import { lostIn } from "../resume/lost.ts"

/** A process that ran on in the other conversation: what it had printed, and a receipt. */
type LeftProcess = {
  /** By their places in the conversation's folder. */
  files: readonly { place: string; content: string | Uint8Array }[]
  record: Extract<EventBody, { type: "process_ended" }>
}

/** The fork has what they had printed; of their end it knows nothing. */
export function processesLeft(copied: readonly DurableEvent[], processes: string): LeftProcess[] {
  return [...lostIn(copied).processes].flatMap(([id, action_id]) => {
    const began = copied.findLast(event => receiptOf(event)?.id === id)
    const running = began && receiptOf(began)
    if (running === undefined) return []

    const output = outputOf(join(processes, id, "output"))
    const { containment } = running
    const receipt: ProcessReceipt = {
      id,
      status: "unknown",
      exit_code: null,
      signal: null,
      elapsed_seconds: running.elapsed_seconds,
      output_bytes: output.length,
      dropped_bytes: 0,
      output_sha256: hash("sha256", output),
      output_id: running.output_id,
      truncated: output.length > 0,
      reason: "forked",
      ...(containment && { containment }),
    }
    return [
      {
        files: [
          { place: `artifacts/processes/${id}/output`, content: output },
          {
            place: `artifacts/processes/${id}/receipt.json`,
            content: `${JSON.stringify(receipt)}\n`,
          },
        ],
        record: {
          type: "process_ended",
          action_id,
          evidence_bytes: output.length,
          evidence: [],
          process: receipt,
        },
      },
    ]
  })
}

/** One that is not there is an empty one. */
function outputOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}
