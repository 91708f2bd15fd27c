import type { Registry } from "../registry/registry.ts"

/** A model's name in its parts, or why it has none. */
export type ModelName =
  | { status: "found"; providerName: string; name: string }
  | { status: "unclear"; reason: string }

/**
 * The parts of `provider/model`; the first slash divides. A name alone is the one provider's that
 * claims its beginning. Whether that provider is installed is not looked at.
 */
export function modelNameOf(id: string, registry: Registry): ModelName {
  const slash = id.indexOf("/")
  if (slash > 0 && slash < id.length - 1) {
    return { status: "found", providerName: id.slice(0, slash), name: id.slice(slash + 1) }
  }

  const [own, ...others] = slash < 0 ? registry.providersOf(id) : []
  if (own !== undefined && others.length === 0) {
    return { status: "found", providerName: own, name: id }
  }
  if (own !== undefined) {
    return { status: "unclear", reason: `it can be of ${[own, ...others].join(" or ")}` }
  }
  const reason =
    slash < 0 ? "no installed provider has models of such a name" : "it names no provider and model"
  return { status: "unclear", reason }
}
