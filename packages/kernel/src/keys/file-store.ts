import { rememberStoredKey, storedKeyOf } from "./keys-file.ts"
import type { KeyStore } from "./store.ts"

/**
 * Keeps keys in `keys.json` of the home. It is never unavailable: what is wrong with the file is
 * thrown, as `keys_unusable`, `home_unusable` or `disk_full`.
 */
export function fileKeys(home: string): KeyStore {
  return {
    async put(provider, key) {
      await rememberStoredKey(home, provider, { stored: "file", key })
      return { status: "kept" }
    },
    async get(provider) {
      const stored = storedKeyOf(home, provider)
      return stored?.stored === "file" ? { status: "found", key: stored.key } : { status: "none" }
    },
    async remove(provider) {
      if (storedKeyOf(home, provider)?.stored !== "file") return { status: "none" }
      await rememberStoredKey(home, provider, null)
      return { status: "removed" }
    },
  }
}
