import { type ActionContext, defineAction, defineKind, type JsonObject, z } from "@harness/sdk"

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Puts one file back to a content that the conversation keeps, or removes it. */
const restoreFile = defineAction({
  name: "restore_file",
  effect: "write",
  description: "Gives a file that holds the expected content an earlier one back, or removes it.",
  input: z.object({
    path: z.string(),
    /** What it must hold now; null: it must not be there. */
    expected: Hash.nullable(),
    /** What it held before; null: it was not there. */
    content: Hash.nullable(),
    /** Permission bits that it had; null where they are not on record. */
    mode: z.int().min(0).max(0o7777).nullable(),
  }),
  returns: "{path, sha256}",

  async run({ path, expected, content, mode }, context): Promise<JsonObject> {
    const { files } = context
    if (content === null) {
      return expected === null ? { path, sha256: null } : await removed(path, expected, context)
    }
    const bytes = await context.kept(content)
    if (bytes === null) return { error: "not_found", path, message: `${content} is not kept.` }

    // A link that came in its place leads to another file than the one that was changed.
    const place = await files.locate(path)
    if (place.status === "located" && place.path !== path) return linked(path)
    const written = await files.replace(path, bytes, {
      expected: expected ?? "absent",
      ...(mode !== null && { mode }),
    })
    if (written.status === "written") return { path, sha256: written.sha256 }
    if (written.status === "conflict") return conflict(path, written.found)
    return { error: written.error, path, message: written.message }
  },
})

/**
 * The kind that `harness undo` works with: no model gets to see it. It takes the path of every other
 * action, so that an undo is on record, leaves evidence, and is confined to the root.
 */
export const restore = defineKind({
  name: "restore",
  description: "the folder of a conversation whose changes are taken back.",
  actions: [restoreFile],
})

async function removed(
  path: string,
  expected: string,
  { files }: ActionContext,
): Promise<JsonObject> {
  const end = await files.remove(path, { expected })
  if (end.status === "removed") return { path, sha256: null }
  if (end.status === "conflict") return conflict(path, end.found)
  return { error: end.error, path, message: end.message }
}

function conflict(path: string, found: string | null): JsonObject {
  const message = found === null ? "it is gone" : "it holds something else by now"
  return { error: "conflict", path, found, message }
}

function linked(path: string): JsonObject {
  return { error: "conflict", path, message: "it is a link by now" }
}
