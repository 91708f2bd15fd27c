import { failure, type KeyPlace } from "@harness/protocol"
import type { ProviderDefinition } from "@harness/sdk"
import type { Environment } from "../config/home.ts"
import type { KernelOptions } from "../context.ts"
import { fileKeys } from "./file-store.ts"
import { storedKeyOf } from "./keys-file.ts"
import type { KeyStore } from "./store.ts"

/** What is needed to find a key. */
export type KeyContext = Pick<KernelOptions, "home" | "env" | "log" | "keychain">

/** The variables that a provider's key can be in. */
type KeyVariables = Pick<ProviderDefinition, "name" | "keyVariables">

/**
 * What `create` of a provider finds its key in: the environment, and when no variable of its key is set
 * there, the stored key under the first of them. A copy: nothing else gets to see a stored key.
 * Throws `keys_unusable` or `key_locked`.
 *
 * @example
 * const { env, keyStored } = await environmentFor(definition, context)
 * await definition.create({ model, env, keyStored, config })
 */
export async function environmentFor(
  provider: KeyVariables,
  context: KeyContext,
): Promise<{ env: Environment; keyStored: boolean }> {
  const { home, env, log } = context
  const [variable] = provider.keyVariables ?? []
  if (variable === undefined || variableInUse(provider, env) !== undefined) {
    return { env, keyStored: false }
  }

  const place = storedKeyOf(home, provider.name)?.stored
  if (place === undefined) return { env, keyStored: false }

  const store = await keyStoreOf(place, context)
  const found = await store.get(provider.name)
  if (found.status !== "found") {
    throw failure("key_locked", {
      provider: provider.name,
      reason: found.status === "none" ? "it is not in there any more" : found.reason,
      hint: `Unlock it and try again, set ${variable}, or store the key in a file: harness login ${provider.name} --file.`,
    })
  }
  log.hide(found.key)
  return { env: { ...env, [variable]: found.key }, keyStored: true }
}

/** The variable whose value counts: the first that is set, and not empty, which is how shells unset one. */
export function variableInUse(
  { keyVariables = [] }: KeyVariables,
  env: Environment,
): string | undefined {
  return keyVariables.find(name => env[name])
}

/** The keychain's part is loaded for who has a key in it. */
export async function keyStoreOf(place: KeyPlace, context: KeyContext): Promise<KeyStore> {
  const { home, env, keychain } = context
  if (place === "file") return fileKeys(home)
  const { keychainKeys } = await import("./keychain-store.ts")
  return keychainKeys(home, { ...keychain, env })
}
