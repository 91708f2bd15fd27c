import type { KnownFiles } from "@harness/sdk"

/** What a conversation knows of files: a hash, `absent`, or nothing. */
export function knowing(hashes: Readonly<Record<string, string>>): KnownFiles {
  return { hashOf: path => hashes[path] }
}
