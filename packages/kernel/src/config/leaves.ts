import type { Json } from "@harness/protocol"

/** One value of a document and where it stands. */
export type Leaf = { path: readonly string[]; value: Json }

/** The values of an object by their paths, in its order; a list or an empty object is one value. */
export function leaves(value: Json, path: readonly string[] = []): Leaf[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, value }]
  const entries = Object.entries(value)
  if (entries.length === 0 && path.length > 0) return [{ path, value }]
  return entries.flatMap(([key, inner]) => leaves(inner, [...path, key]))
}
