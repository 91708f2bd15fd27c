const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield"
  ).split(" "),
)

/**
 * A name as Python can write it: `from` becomes `from_`, `dry-run` becomes `dry_run`. The prelude's
 * `python_name` does the same.
 */
export function pythonName(name: string): string {
  const word = name.replace(/^(?=\d)|\W/g, "_")
  return keywords.has(word) ? `${word}_` : word
}
