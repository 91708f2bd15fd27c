import { failure, toFailure, type WorkerReply } from "@harness/protocol"
import { sha256Of } from "../files/content.ts"
import type { World } from "../ipc/context.ts"
import type { ImageFrame, TicketBook } from "../ipc/ticket-book.ts"
import { takeImage } from "./take.ts"

/** Takes an image that came with the user's message, if the frame's ticket holds. Never rejects. */
export async function takeSentImage(
  frame: ImageFrame,
  { tickets, world }: { tickets: TicketBook; world: World },
  signal: AbortSignal,
): Promise<WorkerReply> {
  const { id, bytes: sent, images } = frame
  try {
    const reason =
      tickets.refusalOf(frame) ??
      (sha256Of(sent) === frame.sha256 ? undefined : "its ticket is for another image")
    if (reason !== undefined) throw failure("ticket_refused", { action: "image", reason })

    const decoder = await world.decoder()
    const fitted = await takeImage(sent, { decoder, images, limits: world.limits, signal })
    return { type: "image_taken", id, taken: fitted.taken, bytes: plain(fitted.bytes) }
  } catch (error) {
    return { type: "refused", id, failure: toFailure(error) }
  }
}

/** Of memory of its own: what shares it with others would be sent along. */
function plain(bytes: Uint8Array | null): Uint8Array<ArrayBuffer> | null {
  return bytes === null ? null : Uint8Array.from(bytes)
}
