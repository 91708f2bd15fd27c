import { hash } from "node:crypto"
import { failure, type ImageLimits, type ImagePart, type Limits } from "@harness/protocol"
import type { EvidenceStore } from "@harness/sdk"
import type { Ledger } from "../evidence/ledger.ts"
import type { Recorder } from "../loop/recorder.ts"
import { type Model, usualImages } from "../provider/resolve.ts"
import type { WorkerLink } from "../scheduler/worker-link.ts"
import { scaledMessage } from "./words.ts"

/** An image as a face sent it. */
export type SentImage = { name: string; base64: string }

/** How images enter a conversation, and how its requests get to their bytes. */
export interface ConversationImages {
  /** What the images of one result must fit in; `most` when it shows some already. */
  limits(most?: number): ImageLimits
  /**
   * Makes the user's images what the model takes and keeps them, all or none: what is wrong with one
   * is found before the turn begins. Null when `signal` was aborted meanwhile. Throws `image_unusable`, `evidence_exhausted`, `worker_failed`,
   * `log_unwritable`.
   */
  take(sent: readonly SentImage[], signal: AbortSignal): Promise<ImagePart[] | null>
  /** Told of what is in the conversation: a person learns once that the model sees none of it. */
  entered(images: readonly ImagePart[]): void
  /** For requests; undefined when the model takes no images, and is told of them in words. */
  readonly bytes: ((evidence: string) => Promise<Uint8Array | null>) | undefined
}

export type ImageParts = {
  /** The one that is asked next. */
  model: () => Pick<Model, "id" | "images">
  limits: Limits
  evidence: Pick<EvidenceStore, "put" | "get">
  ledger: Ledger
  recorder: Recorder
  worker: () => Promise<WorkerLink>
}

export function conversationImages(parts: ImageParts): ConversationImages {
  const { limits, evidence, ledger, recorder } = parts
  let told = false
  let sentBefore = 0

  function limitsFor(most = limits.images_shown): ImageLimits {
    const { mediaTypes, longestSidePixels, limitBytes } = parts.model().images ?? usualImages
    return {
      media_types: mediaTypes.filter(type => keptTypes.includes(type)),
      longest_side_pixels: longestSidePixels,
      limit_bytes: limitBytes,
      most,
      seen: parts.model().images !== undefined,
    }
  }

  async function fit({ name, base64 }: SentImage, signal: AbortSignal) {
    const bytes = Buffer.from(base64, "base64")
    const worker = await parts.worker()
    const id = `image-${++sentBefore}`
    const named = { id, sha256: hash("sha256", bytes), bytes }
    const end = await worker.image(named, limitsFor(), signal)
    if (signal.aborted) return null
    if (end.status === "refused")
      throw failure("image_unusable", { image: name, reason: end.reason })
    return { name, ...end }
  }

  return {
    limits: limitsFor,
    get bytes() {
      return parts.model().images && bytesIn(evidence)
    },

    async take(sent, signal) {
      const surplus = sent[limits.images_shown]
      if (surplus !== undefined) {
        const reason = `is one too many: a message takes at most ${limits.images_shown}`
        throw failure("image_unusable", { image: surplus.name, reason })
      }
      const fitted = []
      for (const image of sent) {
        const one = await fit(image, signal)
        if (one === null) return null
        fitted.push(one)
      }

      const bytes = fitted.reduce((sum, { image }) => sum + image.bytes, 0)
      const reserved = ledger.reserve(bytes, { leastBytes: bytes })
      if (reserved.status === "exhausted") {
        const { limitBytes: limit_bytes, usedBytes: used_bytes } = reserved
        throw failure("evidence_exhausted", { limit_bytes, used_bytes, asked_bytes: bytes })
      }
      let kept = 0
      try {
        for (const each of fitted) kept += (await evidence.put(each.bytes)).bytes
      } finally {
        ledger.settle(reserved, kept)
      }

      for (const each of fitted) {
        const message = scaledMessage(each.name, each)
        if (message !== null) recorder.record({ type: "notice", code: "image_scaled", message })
      }
      return fitted.map(({ image }) => image)
    },

    entered(images) {
      const model = parts.model()
      if (images.length === 0 || model.images !== undefined || told) return
      told = true
      const message = `${model.id} is not known to take images: it is told of them in words. If it does, set models."${model.id}".images to true in config.jsonc.`
      recorder.record({ type: "notice", code: "images_unseen", message })
    },
  }
}

/**
 * What the history holds whatever the model takes: a conversation can go on with another one, and
 * these every vendor and server reads.
 */
const keptTypes = ["image/png", "image/jpeg"]

/** Once they are gone, or are no more what their hash says, null. */
function bytesIn(evidence: ImageParts["evidence"]) {
  return async (sha256: string) => {
    const found = await evidence.get(sha256)
    return found.status === "found" ? found.bytes : null
  }
}
