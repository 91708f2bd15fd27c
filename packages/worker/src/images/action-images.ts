import type { ImageLimits, ImagePart, Limits } from "@harness/protocol"
import type { Images } from "@harness/sdk"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import type { Decoder } from "./decoder.ts"

/** The images of one action, in the order in which it showed them. */
export type ActionImages = Images & { readonly shown: readonly ImagePart[] }

/** `images` is undefined for an action that did not declare to show any. */
export function actionImages({
  images,
  ...options
}: {
  images: ImageLimits | undefined
  limits: Limits
  evidence: ActionEvidence
  decoder: () => Promise<Decoder>
}): ActionImages {
  const shown: ImagePart[] = []
  let asked = 0
  return {
    shown,
    async show(bytes) {
      if (images === undefined) throw new Error("an action that shows images must declare it")
      const { refused, takeImage } = await import("./take.ts")
      if (asked >= images.most) {
        const reason = `is one too many: a result shows at most ${options.limits.images_shown}`
        return refused("too_many_images", reason)
      }

      asked += 1
      const decoder = await options.decoder()
      const taken = await takeImage(bytes, { ...options, decoder, images })
      if (taken.status === "taken") shown.push(taken.image)
      else asked -= 1
      return taken
    },
  }
}
