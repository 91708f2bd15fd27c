/** The system's code of a thrown error (`ENOENT`), or an empty text. */
export function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || !("code" in thrown)) return ""
  return typeof thrown.code === "string" ? thrown.code : ""
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
