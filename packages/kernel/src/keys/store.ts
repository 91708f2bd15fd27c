/** That a store cannot be used now, and why; the key is not in the reason. */
export type Unavailable = { status: "unavailable"; reason: string }

/**
 * A place that keeps keys, by the providers' names. `test/keys/store-conformance.ts` says what holds for
 * every one of them.
 */
export interface KeyStore {
  /** Keeps a key in the place of an earlier one. What was not kept left nothing changed. */
  put(provider: string, key: string): Promise<{ status: "kept" } | Unavailable>
  get(
    provider: string,
  ): Promise<{ status: "found"; key: string } | { status: "none" } | Unavailable>
  remove(provider: string): Promise<{ status: "removed" } | { status: "none" } | Unavailable>
}
