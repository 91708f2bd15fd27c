import { type ActionContext, type Json, type JsonObject, z } from "@harness/sdk"
import { refusal } from "./refusals.ts"

/** What a preview stood on: the hash of the file by the path of the call, null for an absent one. */
const Basis = z.record(z.string(), z.string().nullable())

export function basisOf(path: string, sha256: string | null): Json {
  return { [path]: sha256 }
}

/** The hash of the file that a person was shown, null for an absent one, undefined without a preview. */
export function shownHash(basis: Json, path: string): string | null | undefined {
  return basis === null ? undefined : Basis.parse(basis)[path]
}

/** The result for a file that does not hold what was expected; nothing was changed. */
export function conflict(
  path: string,
  { expected, found }: { expected: string | null; found: string | null },
): JsonObject {
  return {
    error: "conflict",
    path,
    expected,
    found,
    message: conflictMessage(path, expected, found),
  }
}

/** The hash of a file, null when it is absent, or the result that refuses. */
export async function hashNow(
  path: string,
  { files }: ActionContext,
): Promise<{ sha256: string | null } | { refused: JsonObject }> {
  const found = await files.window(path, { offset: 0, limitBytes: 1 })
  if (found.status === "read") return { sha256: found.sha256 }
  return found.error === "not_found" ? { sha256: null } : { refused: await refusal(found, files) }
}

function conflictMessage(path: string, expected: string | null, found: string | null): string {
  if (found === null) {
    return `${path} does not exist any more; nothing was changed. Leave expected away to create it.`
  }
  if (expected === null) {
    return `${path} exists already; nothing was changed. Read it first and pass its sha256 as expected.`
  }
  return `${path} is not what was expected: it changed since it was read; nothing was changed. Read it again and pass its new sha256 as expected.`
}
