import type { ActionContext, JsonObject } from "@harness/sdk"
import { refusal } from "../refusals.ts"
import { nameGlob, type PathTest, pathTest } from "../text/glob.ts"

/** Where to look, and for which paths. */
export type Place = {
  status: "place"
  /** Relative to the root, links resolved: ripgrep is given no way out. */
  path: string
  type: "file" | "folder"
  wants: PathTest
  /** A glob that all wanted names meet; null for any name. */
  name: string | null
}

/**
 * Checks a path and a glob. The glob is not given to ripgrep as such: there it would bring back what
 * `.gitignore` hides; as a file type it does not.
 */
export async function placeOf(
  path: string,
  { pattern, folderOnly }: { pattern: string | null; folderOnly: boolean },
  { files, isSecret }: ActionContext,
): Promise<Place | { status: "error"; result: JsonObject }> {
  const located = await files.locate(path)
  if (located.status === "refused") {
    return { status: "error", result: await refusal(located, files) }
  }

  const { type } = located
  if (type !== "folder" && (type !== "file" || folderOnly)) {
    const error = folderOnly ? "not_a_folder" : "not_a_file"
    const message = `${path} is a ${type}. Name a folder.`
    return { status: "error", result: { error, path, message } }
  }

  if (type === "file" && isSecret(located.path)) {
    const opened = await files.window(path, { offset: 0, limitBytes: 0 })
    if (opened.status === "refused") {
      return { status: "error", result: await refusal(opened, files) }
    }
  }

  const wants = pattern === null ? () => true : pathTest(pattern)
  if (wants === null) {
    const message = `The glob ${pattern} cannot be read. Use *, **, ?, [a-z] and {a,b}, for example **/*.ts.`
    return { status: "error", result: { error: "invalid_pattern", path, message } }
  }

  const name = pattern === null ? null : nameGlob(pattern)
  return { status: "place", path: located.path, type, wants, name }
}
