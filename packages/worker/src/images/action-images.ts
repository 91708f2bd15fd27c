import type { ImageLimits, ImagePart, Limits } from "@harness/protocol"
import type { Images } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import type { Decoder } from "./decoder.ts"

/** The images of one action, in the order in which it showed them. */
export type ActionImages = Images & { readonly shown: readonly ImagePart[] }

/** `images` is undefined for an action that did not declare to show any. */
export function actionImages({
  images,
  limits,
  evidence,
  decoder,
  signal,
}: {
  images: ImageLimits | undefined
  limits: Limits
  evidence: ActionEvidence
  decoder: () => Promise<Decoder>
  /** The action's. */
  signal: AbortSignal
}): ActionImages {
  const shown: ImagePart[] = []
  let asked = 0

  return {
    shown,
    async show(bytes) {
      if (images === undefined) throw new Error("an action that shows images must declare it")
      const { refused, takeImage } = await import("./take.ts")
      if (asked >= images.most) {
        const reason = `is one too many: a result shows at most ${limits.images_shown}`
        return refused("too_many_images", reason).taken
      }

      // Counted while it is decoded: an action may show several side by side.
      asked += 1
      const fitted = await takeImage(bytes, { decoder: await decoder(), images, limits, signal })
      if (fitted.bytes === null) {
        asked -= 1
        return fitted.taken
      }
      if (evidence.keep([{ role: "image", bytes: fitted.bytes }]) === null) {
        const reason = "could not be kept: the conversation's evidence has no room left"
        return refused("evidence_exhausted", reason).taken
      }
      shown.push(fitted.taken.image)
      return fitted.taken
    },
  }
}
