/**
 * An argv as a line that a shell would read back as the same arguments. Control characters are
 * spelled out: what a person decides by must not move the cursor.
 */
export function commandLine(argv: readonly string[]): string {
  return argv.map(quoted).join(" ")
}

/** `text` with control characters spelled out; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escapeOf)
}

const PLAIN = /^[\w@%+=:,./-]+$/

/** Controls, and the characters that turn the direction of writing around. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

function quoted(argument: string): string {
  if (PLAIN.test(argument)) return argument
  if (argument.search(/(?![\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u) === -1) {
    return `'${argument.replaceAll("'", `'\\''`)}'`
  }
  const escaped = argument.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")
  return `$'${escaped.replace(INVISIBLE, escapeOf)}'`
}

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
