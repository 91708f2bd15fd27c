import type { JsonObject } from "@harness/sdk"

/**
 * What came instead of a result, as JSON: an error with its message, or a denial such as
 * `{"tool":"bash","status":"denied","by":"user"}`. Null for a result.
 */
export function presentProblem(tool: string, result: JsonObject): string | null {
  if (result.status === "denied") return JSON.stringify({ tool, ...result })
  return typeof result.error === "string" ? JSON.stringify(result) : null
}
