import { hash } from "node:crypto"

/**
 * By what a vendor finds the kept prefix of a conversation. A hash, since ids are nobody else's
 * business; it must not change while a conversation lasts, resumed or not.
 */
export function cacheKeyOf(conversation: string | undefined): string | undefined {
  if (conversation === undefined) return undefined
  return hash("sha256", `prompt cache of ${conversation}`).slice(0, 32)
}
