import { posix } from "node:path"
import type { JsonObject } from "@harness/protocol"
import type { AnyAction, KnownFile, KnownFiles } from "@harness/sdk"

/** What one conversation knows of files, from the results that its model has seen. */
export interface KnownFileTable extends KnownFiles {
  /** Takes in what a result says; only the action itself knows which files that are. */
  learn(action: AnyAction, input: JsonObject, result: JsonObject): void
  /** What was known of a file counts no more: it must be read again. */
  forget(path: string): void
  /** All of them, what was learnt last at the end. */
  all(): KnownFile[]
}

export function createKnownFiles(): KnownFileTable {
  const hashes = new Map<string, string | null>()
  return {
    hashOf(path) {
      const hash = hashes.get(posix.normalize(path))
      return hash === null ? "absent" : hash
    },
    learn(action, input, result) {
      for (const { path, sha256 } of action.knows?.(input, result) ?? []) {
        const name = posix.normalize(path)
        hashes.delete(name)
        hashes.set(name, sha256)
      }
    },
    forget: path => void hashes.delete(posix.normalize(path)),
    all: () => Array.from(hashes, ([path, sha256]) => ({ path, sha256 })),
  }
}
