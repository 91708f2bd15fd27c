import { defineAction, type ImageTaken, type JsonObject, z } from "@harness/sdk"
import { knownFrom } from "../known.ts"
import { refusal } from "../refusals.ts"
import { numberIn, summaryOf, textIn } from "../summaries.ts"
import { grouped } from "../text/words.ts"

/** Shows an image file to the model, with the result of what called it. */
export const readImage = defineAction({
  name: "read_image",
  effect: "read",
  shows: true,
  description: "Shows you a PNG, JPEG, GIF or WebP file as a picture.",
  input: z.object({ path: z.string() }),
  returns: "{media_type, width, height, shown}",

  async run({ path }, { files, images, limits }): Promise<JsonObject> {
    const found = await files.read(path, { limitBytes: limits.image_bytes })
    if (found.status === "refused" && found.error === "too_large") {
      return { error: "image_too_large", path, message: found.message }
    }
    if (found.status === "refused") return refusal(found, files)

    const { bytes, sha256 } = found
    const taken = await images.show(bytes)
    if (taken.status === "refused") {
      const message = `${path} ${taken.reason}.${nextSteps[taken.error]}`
      return { error: taken.error, path, bytes: bytes.length, sha256, message }
    }
    return { path: found.path, ...shownAs(taken), sha256 }
  },

  knows: ({ path }, result) => knownFrom(path, result),

  summarise({ path }, result) {
    const size = `${numberIn(result, "width")}x${numberIn(result, "height")}`
    const what = `${textIn(result, "media_type")} ${size}, ${grouped(numberIn(result, "bytes"))} bytes`
    return summaryOf(`read ${path}`, result, what, " ")
  },
})

type Taken = Extract<ImageTaken, { status: "taken" }>
type Problem = Extract<ImageTaken, { status: "refused" }>["error"]

/** Of the file itself; `scaled` when the picture that is shown is another one. */
function shownAs({ image, source, seen }: Taken): JsonObject {
  const { media_type, width, height, bytes, frames } = source
  const isSame = image.media_type === media_type && image.bytes === bytes
  const scaled = { media_type: image.media_type, width: image.width, height: image.height }
  return {
    ...{ media_type, width, height, bytes },
    ...(frames > 1 && { frames }),
    ...(!isSame && { scaled }),
    shown: seen,
  }
}

const nextSteps: Record<Problem, string> = {
  not_an_image: " Read it as a text, or look at it with a command such as file.",
  image_damaged: " Look at it with a command such as file.",
  image_too_large: " Make a smaller one of it with a command.",
  too_many_images: " Show the others in another step.",
  evidence_exhausted: " Tell the user.",
  image_unscaled: " Images cannot be shown on this machine: tell the user.",
}
