/** The code of a system error, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}

/** What a system error means, as the end of a sentence; of another error its message. */
export function inWords(error: unknown): string {
  const known = words.get(errnoOf(error) ?? "")
  if (known !== undefined) return known
  return error instanceof Error ? error.message : String(error)
}

const words = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "it does not exist"],
  ["EEXIST", "it is not a folder"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EROFS", "its file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["ELOOP", "its symbolic links lead in a circle"],
])
