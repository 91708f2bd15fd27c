import type { JsonObject } from "@harness/sdk"

/**
 * A result in one line for people: the subject and what came of it, or the error or denial that
 * came instead.
 */
export function summaryOf(
  subject: string,
  result: JsonObject,
  outcome: string,
  separator = " · ",
): string {
  if (typeof result.error === "string") return `${subject} error ${result.error}`
  if (result.status === "denied") return `${subject} denied by ${textIn(result, "by")}`
  return `${subject}${separator}${outcome}`
}

export function numberIn(result: JsonObject, key: string): number {
  const value = result[key]
  return typeof value === "number" ? value : 0
}

export function textIn(result: JsonObject, key: string): string {
  const value = result[key]
  return typeof value === "string" ? value : ""
}
