import {
  failure,
  HarnessFailure,
  type ImagePart,
  type ImageSource,
  type WorkerReply,
} from "@harness/protocol"

/** What came of an image. `reason` goes on with a sentence that names it. */
export type WorkerImage =
  | { status: "taken"; image: ImagePart; source: ImageSource; bytes: Uint8Array }
  | { status: "refused"; reason: string }

/** Reads the worker's reply to an image. Throws its failure, or `worker_failed`. */
export function imageIn(reply: WorkerReply | "lost", kind: string): WorkerImage {
  if (reply === "lost") {
    throw failure("worker_failed", { kind, reason: "it was lost while it looked at an image" })
  }
  if (reply.type === "refused") throw new HarnessFailure(reply.failure)
  if (reply.type !== "image_taken") {
    throw failure("worker_failed", { kind, reason: `it answered an image with ${reply.type}` })
  }
  const { taken, bytes } = reply
  if (taken.status === "refused") return { status: "refused", reason: taken.reason }
  if (bytes === null) return { status: "refused", reason: "came without its bytes" }
  return { ...taken, bytes }
}
