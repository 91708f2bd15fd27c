import type { JsonObject } from "@harness/protocol"

/** True when the value is an object of JSON already: nothing is copied to find out. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isPlainObject(value) && Object.values(value).every(isJson)
}

/**
 * A value as JSON has it: what has no place there is left out or written in another form, as a date
 * is. Packages need not be typed. Throws for what cannot be written at all.
 */
export function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null")
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`its result is not JSON: ${reason}`)
  }
}

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value === null) return true
      return Array.isArray(value) ? value.every(isJson) : isJsonObject(value)
    default:
      return false
  }
}

/** A Map, a Date or a Buffer is an object too, but not one of JSON. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
