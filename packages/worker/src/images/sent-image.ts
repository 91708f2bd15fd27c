import { failure, toFailure, type WorkerReply } from "@harness/protocol"
import { actionEvidence } from "../evidence/action-evidence.ts"
import { sha256Of } from "../files/content.ts"
import type { World } from "../ipc/context.ts"
import type { ImageFrame, TicketBook } from "../ipc/ticket-book.ts"
import { takeImage } from "./take.ts"

/** Takes an image that came with the user's message, if the frame's ticket holds. Never rejects. */
export async function takeSentImage(
  frame: ImageFrame,
  { tickets, world }: { tickets: TicketBook; world: World },
): Promise<WorkerReply> {
  const { id, bytes, images, grant_bytes: grantBytes } = frame
  try {
    const reason =
      tickets.refusalOf(frame) ??
      (sha256Of(bytes) === frame.sha256 ? undefined : "its ticket is for another image")
    if (reason !== undefined) throw failure("ticket_refused", { action: "image", reason })

    const { limits, payloads } = world
    const evidence = actionEvidence(payloads, grantBytes)
    const decoder = await world.decoder()
    const taken = await takeImage(bytes, { decoder, images, limits, evidence })
    return { type: "image_taken", id, taken, evidence_bytes: evidence.usedBytes }
  } catch (error) {
    return { type: "refused", id, failure: toFailure(error) }
  }
}
