import {
  type CommandAnswer,
  failure,
  type KernelCommand,
  type KeyPlace,
  type ProviderKey,
  toFailure,
} from "@harness/protocol"
import type { ProviderDefinition } from "@harness/sdk"
import type { Registry } from "../registry/registry.ts"
import { keysFile, storedKeyOf } from "./keys-file.ts"
import { type KeyContext, keyStoreOf, variableInUse } from "./provider-key.ts"

type Context = KeyContext & { registry: Registry }
type Answer<Type extends CommandAnswer["type"]> = Extract<CommandAnswer, { type: Type }>
type Command<Type extends KernelCommand["type"]> = Extract<KernelCommand, { type: Type }>

/**
 * Keeps a key: in the keychain, or in the file where there is none, or when that is wished for.
 * Throws `provider_unknown`, `key_refused`, `keys_unusable`, `home_unusable`, `disk_full`.
 */
export async function login(
  { provider, key: given, file = false }: Command<"login">,
  context: Context,
): Promise<Answer<"login">> {
  const definition = await providerCalled(provider, context)
  const key = checkedKey(given, definition)
  context.log.hide(key)

  const kept = file ? null : await (await keyStoreOf("keychain", context)).put(provider, key)
  const stored = kept?.status === "kept" ? "keychain" : "file"
  if (stored === "file") await keepInFile(provider, key, context)
  return {
    type: "login",
    provider,
    stored,
    file: stored === "file" ? keysFile(context.home) : null,
    keychain_reason: kept?.status === "unavailable" ? kept.reason : null,
    overridden_by: variableInUse(definition, context.env) ?? null,
  }
}

/** Removes a stored key. Throws `provider_unknown`, `key_locked`, `keys_unusable`, `home_unusable`. */
export async function logout(
  { provider }: Command<"logout">,
  context: Context,
): Promise<Answer<"logout">> {
  const { home, env, registry } = context
  const place = storedKeyOf(home, provider)?.stored ?? null
  const installed = registry.names("provider").includes(provider)
  // The key of a package that was uninstalled can still be removed.
  if (place === null && !installed) throw unknown(provider, registry)
  if (place !== null) await removeFrom(place, provider, context)

  const definition = installed ? await registry.load("provider", provider) : undefined
  return {
    type: "logout",
    provider,
    removed_from: place,
    overridden_by: definition === undefined ? null : (variableInUse(definition, env) ?? null),
  }
}

/** Where each installed provider's key comes from. Of a provider that cannot tell, why. */
export async function listKeys(context: Context): Promise<Answer<"keys">> {
  const names = context.registry.names("provider")
  return { type: "keys", keys: await Promise.all(names.map(name => keyOf(name, context))) }
}

async function providerCalled(provider: string, { registry }: Context) {
  if (!registry.names("provider").includes(provider)) throw unknown(provider, registry)
  return registry.load("provider", provider)
}

function unknown(provider: string, registry: Registry) {
  return failure("provider_unknown", {
    provider,
    known: registry.names("provider").join(", ") || "none",
  })
}

/** The key without the blanks around it. What it holds is in no message, for it is a key nearly. */
function checkedKey(given: string, { name, keyVariables = [] }: ProviderDefinition): string {
  if (keyVariables.length === 0) {
    const hint = `Use it as it is: ${name}/<model>.`
    throw failure("key_refused", { provider: name, reason: "it takes none", hint })
  }

  const key = given.trim()
  const reason = flawOf(key)
  if (reason === undefined) return key
  const hint = `Give the key alone, as one line: at the prompt of harness login ${name}, or on its standard input.`
  throw failure("key_refused", { provider: name, reason, hint })
}

const longestKey = 4_096

function flawOf(key: string): string | undefined {
  if (key === "") return "the key is empty"
  if (/[\r\n]/.test(key)) return "the key has a line break in it"
  if (/\s/.test(key)) return "the key has a space in it"
  if (key.length > longestKey) return `the key is longer than ${longestKey} characters`
  const [odd] = key.match(/[^\x21-\x7e]/u) ?? []
  if (odd === undefined) return undefined
  const code = odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
  return `the key has a character in it that no key has (U+${code})`
}

async function keepInFile(provider: string, key: string, context: Context): Promise<void> {
  // One that is left in the keychain would be found by nobody. If it cannot be reached now, the new
  // key counts all the same.
  if (storedKeyOf(context.home, provider)?.stored === "keychain") {
    await (await keyStoreOf("keychain", context)).remove(provider)
  }
  await (await keyStoreOf("file", context)).put(provider, key)
}

async function removeFrom(place: KeyPlace, provider: string, context: Context): Promise<void> {
  const removed = await (await keyStoreOf(place, context)).remove(provider)
  if (removed.status !== "unavailable") return
  throw failure("key_locked", {
    provider,
    reason: removed.reason,
    hint: `The key is still in it. Unlock it, then repeat harness logout ${provider}.`,
  })
}

async function keyOf(provider: string, { registry, home, env }: Context): Promise<ProviderKey> {
  const nothing = { provider, variable: null, reason: null }
  try {
    const definition = await registry.load("provider", provider)
    const [first] = definition.keyVariables ?? []
    if (first === undefined) return { ...nothing, from: "unneeded" }

    const set = variableInUse(definition, env)
    if (set !== undefined) return { ...nothing, from: "environment", variable: set }
    const from = storedKeyOf(home, provider)?.stored ?? "none"
    return { ...nothing, from, variable: first }
  } catch (error) {
    return { ...nothing, from: "unknown", reason: toFailure(error).message }
  }
}
