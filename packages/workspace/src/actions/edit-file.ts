import { type ActionContext, defineAction, type JsonObject, z } from "@harness/sdk"
import { basisOf, conflict, shownHash } from "../basis.ts"
import { knownFrom } from "../known.ts"
import { refusal } from "../refusals.ts"
import { numberIn, summaryOf, textIn } from "../summaries.ts"
import { diffPreview } from "../text/diff.ts"
import { type Replacement, replaceText } from "../text/replace.ts"
import { decodeText } from "../text/utf8.ts"
import { counted, grouped } from "../text/words.ts"

/** An edit holds the file and its new text in memory. */
const EDITED_BYTES = 16 * 1_048_576

const Input = z.object({
  path: z.string(),
  old_text: z.string().min(1),
  new_text: z.string(),
  expected: z.string().nullable().default(null),
  replace_all: z.boolean().default(false),
})
type Input = z.output<typeof Input>

/** Replaces a piece of a text file and leaves every other byte as it is. */
export const editFile = defineAction({
  name: "edit_file",
  effect: "write",
  description:
    "Replaces old_text, which must occur once (or replace_all), and no other byte; line breaks stand for the file's own endings. Errors: no_match with nearest, ambiguous_match with lines, no_change, conflict.",
  input: Input,
  returns: "{path, sha256, replaced, first_line}",

  async preview(input, context) {
    const edit = await planEdit(input, context)
    if (edit.status === "error") {
      const text = `edit ${input.path} will change nothing: ${textIn(edit.result, "message")}`
      return { preview: { format: "text", text }, basis: basisOf(input.path, edit.before) }
    }
    const preview = await diffPreview(edit.path, edit.bytes, edit.text)
    return { preview, basis: basisOf(input.path, edit.before) }
  },

  async run(input, context) {
    const edit = await planEdit(input, context)
    const shown = shownHash(context.basis, input.path)
    if (shown !== undefined && shown !== edit.before) {
      return conflict(input.path, { expected: shown, found: edit.before })
    }
    if (edit.status === "error") return edit.result

    const { files } = context
    const bytes = new TextEncoder().encode(edit.text)
    const written = await files.replace(input.path, bytes, { expected: edit.before })
    if (written.status === "refused") return refusal(written, files)
    if (written.status === "conflict") {
      return conflict(written.path, { expected: edit.before, found: written.found })
    }

    const { replaced, firstLine } = edit
    return { path: written.path, sha256: written.sha256, replaced, first_line: firstLine }
  },

  knows: ({ path }, result) => knownFrom(path, result),

  summarise({ path }, result) {
    const found = numberIn(result, "found")
    const times =
      result.error === "ambiguous_match" ? ` · old_text found ${counted(found, "time")}` : ""
    const replaced = counted(numberIn(result, "replaced"), "replacement")
    const outcome = `${replaced} from line ${grouped(numberIn(result, "first_line"))}`
    return `${summaryOf(`edit ${path}`, result, outcome)}${times}`
  },
})

type PlannedEdit =
  | {
      status: "edit"
      path: string
      bytes: Uint8Array
      before: string
      text: string
      replaced: number
      firstLine: number
    }
  /** `before` is null for a file that could not be read. */
  | { status: "error"; result: JsonObject; before: string | null }

async function planEdit(input: Input, { files }: ActionContext): Promise<PlannedEdit> {
  const file = await files.read(input.path, { limitBytes: EDITED_BYTES })
  if (file.status === "refused") {
    return { status: "error", result: await refusal(file, files), before: null }
  }

  const { path, bytes, sha256: before } = file
  const refuse = (result: JsonObject): PlannedEdit => ({ status: "error", result, before })
  if (input.expected !== null && input.expected !== before) {
    return refuse(conflict(path, { expected: input.expected, found: before }))
  }

  const decoded = decodeText(bytes)
  if (decoded.status === "not_text") {
    const message = `${path} is not UTF-8 text: it ${decoded.what}; nothing was changed. Change it with a command that knows its format.`
    return refuse({ error: decoded.error, path, message })
  }
  if (!input.old_text.isWellFormed() || !input.new_text.isWellFormed()) {
    const message = `The texts of the edit of ${path} have half of a surrogate pair; nothing was changed. Give whole characters.`
    return refuse({ error: "invalid_text", path, message })
  }

  const replacement = replaceText(decoded.text, {
    oldText: input.old_text,
    newText: input.new_text,
    all: input.replace_all,
  })
  if (replacement.status !== "replaced") return refuse(errorOf(path, replacement))
  return { ...replacement, status: "edit", path, bytes, before }
}

function errorOf(
  path: string,
  replacement: Exclude<Replacement, { status: "replaced" }>,
): JsonObject {
  switch (replacement.status) {
    case "no_match": {
      const { nearest } = replacement
      const where = nearest.length > 0 ? `The nearest lines are in nearest.` : `No line is like it.`
      const message = `old_text is not in ${path}; nothing was changed. ${where} Read the file and copy the text exactly.`
      return { error: "no_match", path, nearest, message }
    }
    case "ambiguous_match": {
      const { found, lines } = replacement
      const message = `old_text is at ${grouped(found)} places in ${path}; nothing was changed. Give more of the lines around it, or replace_all.`
      return { error: "ambiguous_match", path, found, lines, message }
    }
    case "no_change": {
      const message = `new_text says what old_text says in ${path} (an edit keeps the file's line endings); nothing was changed. To change line endings write the whole file.`
      return { error: "no_change", path, first_line: replacement.firstLine, message }
    }
  }
}
