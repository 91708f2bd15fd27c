import * as z from "zod"

/** Where a stored key is: in the system's keychain, or in `keys.json` of HARNESS_HOME. */
export const KeyPlace = z.enum(["keychain", "file"])
export type KeyPlace = z.infer<typeof KeyPlace>

/** Where a provider's key comes from. The key itself is never in it. */
export const ProviderKey = z.strictObject({
  provider: z.string(),
  /** `none`: there is none. `unneeded`: the provider takes none. `unknown`: see `reason`. */
  from: z.enum(["environment", ...KeyPlace.options, "none", "unneeded", "unknown"]),
  /** The variable that holds it, else the first one that could; null when there is no such one. */
  variable: z.string().nullable(),
  /** Why it cannot be told; null otherwise. */
  reason: z.string().nullable(),
})
export type ProviderKey = z.infer<typeof ProviderKey>
