import { createHash } from "node:crypto"
import { type AskKeychain, askKeychain, type KeychainOptions } from "./ask-keychain.ts"
import { rememberStoredKey, storedKeyOf } from "./keys-file.ts"
import type { KeyStore } from "./store.ts"

/**
 * Keeps keys in the system's keychain; `keys.json` says for which providers, so that a run of somebody
 * who never logged in does not start what asks it. Throws `keys_unusable`, `home_unusable`, `disk_full`.
 */
export function keychainKeys(home: string, options: KeychainOptions): KeyStore {
  const ask = askKeychain(options)

  return {
    async put(provider, key) {
      const account = accountOf(home, provider)
      const answer = await ask("put", account, key)
      if (answer.status === "unavailable") return answer
      if (answer.status !== "done") return unexpected
      return remember(home, provider, { account, ask })
    },
    async get(provider) {
      const stored = storedKeyOf(home, provider)
      if (stored?.stored !== "keychain") return { status: "none" }
      const answer = await ask("get", stored.account)
      return answer.status === "done" ? unexpected : answer
    },
    async remove(provider) {
      const stored = storedKeyOf(home, provider)
      if (stored?.stored !== "keychain") return { status: "none" }
      const answer = await ask("remove", stored.account)
      if (answer.status === "unavailable") return answer
      await rememberStoredKey(home, provider, null)
      return { status: "removed" }
    },
  }
}

/** Takes the key out again when it cannot be said where it is: nobody would find it to remove it. */
async function remember(
  home: string,
  provider: string,
  { account, ask }: { account: string; ask: AskKeychain },
): Promise<{ status: "kept" }> {
  try {
    await rememberStoredKey(home, provider, { stored: "keychain", account })
    return { status: "kept" }
  } catch (error) {
    await ask("remove", account)
    throw error
  }
}

const unexpected = {
  status: "unavailable",
  reason: "it gave an answer to another question",
} as const

/** The same for each login in one home, so that a second one takes the first one's place. */
function accountOf(home: string, provider: string): string {
  const which = createHash("sha256").update(home).digest("hex").slice(0, 12)
  return `${provider} (${which})`
}
