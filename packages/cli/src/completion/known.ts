import type { Kernel } from "@harness/kernel"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { tokens } from "../text/format.ts"
import type { Known } from "./words.ts"

/** What a kernel knows, asked for when a word needs it. */
export function knownBy({ compose, env, cwd }: Pick<Invocation, "compose" | "env" | "cwd">): Known {
  let composed: Promise<Kernel> | undefined
  const kernel = () => {
    composed ??= compose({ env, cwd })
    return composed
  }

  return {
    async conversations() {
      const { conversations } = await ask(await kernel(), { type: "conversations", folder: cwd })
      const last = conversations.length === 0 ? [] : [{ value: "last", note: "the newest one" }]
      return [...last, ...conversations.map(each => ({ value: each.short_id, note: each.title }))]
    },
    async models() {
      const { models } = await ask(await kernel(), { type: "models" })
      return models.map(each => ({
        value: each.id,
        note: `window ${tokens(each.context_tokens)}`,
      }))
    },
    async providers() {
      const { keys } = await ask(await kernel(), { type: "keys" })
      return keys.map(({ provider, from }) => ({ value: provider, note: `key: ${from}` }))
    },
    async packages() {
      const { packages } = await ask(await kernel(), { type: "list" })
      return packages
        .filter(({ source }) => source.type !== "builtin")
        .map(({ name, version }) => ({ value: name, note: version }))
    },
  }
}
