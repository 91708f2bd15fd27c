import type { ActionContext, JsonObject } from "@harness/sdk"
import { refusal } from "../refusals.ts"
import { nameGlob, type PathTest, pathTest } from "../text/glob.ts"

/** Where to look, and for which paths. */
export type Place = {
  status: "place"
  /** Relative to the root, links resolved: ripgrep is given no way out. */
  path: string
  wants: PathTest
  /** Arguments that keep ripgrep from opening what is surely not wanted. */
  typeArgs: readonly string[]
}

/**
 * Checks a path and a glob. The glob is not given to ripgrep as such: there it would bring back what
 * `.gitignore` hides; as a file type it does not.
 */
export async function placeOf(
  path: string,
  { pattern, folderOnly }: { pattern: string | null; folderOnly: boolean },
  { files }: ActionContext,
): Promise<Place | { status: "error"; result: JsonObject }> {
  const located = await files.locate(path)
  if (located.status === "refused") {
    return { status: "error", result: await refusal(located, files) }
  }

  const isUsable = located.type === "folder" || (located.type === "file" && !folderOnly)
  if (!isUsable) {
    const error = folderOnly ? "not_a_folder" : "not_a_file"
    const message = `${path} is a ${located.type}. Name a folder.`
    return { status: "error", result: { error, path, message } }
  }

  const wants = pattern === null ? () => true : pathTest(pattern)
  if (wants === null) {
    const message = `The glob ${pattern} cannot be read. Use *, **, ?, [a-z] and {a,b}, for example **/*.ts.`
    return { status: "error", result: { error: "invalid_pattern", path, message } }
  }

  const name = pattern === null ? null : nameGlob(pattern)
  const typeArgs = name === null ? [] : [`--type-add=wanted:${name}`, "--type=wanted"]
  return { status: "place", path: located.path, wants, typeArgs }
}
