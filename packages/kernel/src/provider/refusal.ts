import { failure, isFailure } from "@harness/protocol"

/** Where a value of `config.jsonc` stands. */
export type LineOf = (path: readonly string[]) => number | undefined

/** A provider judges its own options without knowing where in the file they stand: this adds it. */
export function atItsLine(error: unknown, provider: string, lineOf: LineOf): unknown {
  if (!isFailure(error, "config_invalid")) return error
  const { file, key, reason } = error.details
  const own = ["providers", provider]
  const path = String(key).slice(own.join(".").length).split(".").filter(Boolean)
  const line = lineOf([...own, ...path]) ?? lineOf(own) ?? "?"
  const placed = { file: String(file), line, key: String(key), reason: String(reason) }
  return failure("config_invalid", placed, { cause: error })
}
