import type { JsonObject, KnownFile } from "@harness/sdk"
import { spelled } from "./paths.ts"

/**
 * The file that a result shows or leaves, by the path of the call and by its real one. A missing
 * file is known to be absent. What only names a hash (a conflict, a file that is not text) makes
 * nothing known: the content was not seen.
 */
export function knownFrom(path: string, result: JsonObject): KnownFile[] {
  const asked = spelled(path)
  if (result.error === "not_found") return [{ path: asked, sha256: null }]

  const { error, path: real, sha256 } = result
  if (error !== undefined || typeof real !== "string" || typeof sha256 !== "string") return []

  const paths = real === asked ? [real] : [asked, real]
  return paths.map(known => ({ path: known, sha256 }))
}
