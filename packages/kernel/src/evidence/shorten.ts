import { hash } from "node:crypto"
import type { Json, JsonObject } from "@harness/protocol"

/**
 * A result as the log keeps it: each string of more than 2,000 characters becomes
 * `{"$text": {sha256, bytes, head}}`, of its UTF-8, with its first 200 characters. What is short is
 * kept as it is, the very same object.
 *
 * @example
 * shortenResult({ text: "x".repeat(5_000), next_offset: null })
 */
export function shortenResult(result: JsonObject): JsonObject {
  const short = shortened(result)
  return isObject(short) ? short : result
}

const keptCharacters = 2_000
const headCharacters = 200

function shortened(value: Json): Json {
  if (typeof value === "string") return value.length > keptCharacters ? reference(value) : value
  if (Array.isArray(value)) {
    const items = value.map(shortened)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isObject(value)) return value

  const changed = new Map<string, Json>()
  for (const [key, item] of Object.entries(value)) {
    const short = shortened(item)
    if (short !== item) changed.set(key, short)
  }
  return changed.size === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

function reference(text: string): Json {
  const bytes = Buffer.byteLength(text)
  return { $text: { sha256: hash("sha256", text), bytes, head: headOf(text) } }
}

/** The beginning; a character of two code units is not cut in two. */
function headOf(text: string): string {
  const last = text.charCodeAt(headCharacters - 1)
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isFirstHalf ? headCharacters - 1 : headCharacters)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
