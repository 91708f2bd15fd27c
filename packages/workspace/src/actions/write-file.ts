import { type ActionContext, defineAction, type JsonObject, z } from "@harness/sdk"
import { basisOf, conflict, hashNow, shownHash } from "../basis.ts"
import { knownFrom } from "../known.ts"
import { refusal } from "../refusals.ts"
import { numberIn, summaryOf } from "../summaries.ts"
import { diffPreview } from "../text/diff.ts"
import { counted } from "../text/words.ts"

/** A larger file is not shown line by line before it is replaced. */
const SHOWN_BYTES = 16 * 1_048_576

/** Creates a file, or replaces one whose hash is given. */
export const writeFile = defineAction({
  name: "write_file",
  effect: "write",
  description:
    "Creates a file; replaces an existing one only if expected is its sha256, else error conflict with found.",
  input: z.object({
    path: z.string(),
    text: z.string(),
    expected: z.string().nullable().default(null),
  }),
  returns: "{path, sha256, bytes, created, before}",

  async preview({ path, text }, { files }) {
    const before = await files.read(path, { limitBytes: SHOWN_BYTES })
    if (before.status === "read") {
      const preview = await diffPreview(before.path, before.bytes, text)
      return { preview, basis: basisOf(path, before.sha256) }
    }

    if (before.error === "not_found") {
      return { preview: await diffPreview(path, null, text), basis: basisOf(path, null) }
    }
    return { preview: { format: "text", text: `write ${path}: ${before.message}` }, basis: null }
  },

  async run({ path, text, expected }, context) {
    if (!text.isWellFormed()) {
      const message = `The text for ${path} has half of a surrogate pair, which UTF-8 cannot hold; nothing was changed. Write whole characters.`
      return { error: "invalid_text", path, message }
    }

    const shown = shownHash(context.basis, path)
    if (shown !== undefined && shown !== expected) {
      return shownOtherwise(path, { expected, shown }, context)
    }

    const { files } = context
    const bytes = new TextEncoder().encode(text)
    const written = await files.replace(path, bytes, { expected: expected ?? "absent" })
    if (written.status === "refused") return refusal(written, files)
    if (written.status === "conflict") {
      return conflict(written.path, { expected, found: written.found })
    }

    const { before, sha256 } = written
    return { path: written.path, sha256, bytes: written.bytes, created: before === null, before }
  },

  knows: ({ path }, result) => knownFrom(path, result),

  summarise({ path }, result) {
    const kept = result.created === true ? "created" : "mode kept"
    return summaryOf(
      `write ${path}`,
      result,
      `${kept} · ${counted(numberIn(result, "bytes"), "byte")}`,
    )
  },
})

/**
 * The person was shown a file that is not the expected one. Even if it has become so since: what
 * would be overwritten now is not what they saw.
 */
async function shownOtherwise(
  path: string,
  { expected, shown }: { expected: string | null; shown: string | null },
  context: ActionContext,
): Promise<JsonObject> {
  const now = await hashNow(path, context)
  if ("refused" in now) return now.refused

  const found = now.sha256
  return conflict(path, { expected: found === shown ? expected : shown, found })
}
