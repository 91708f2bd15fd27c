import { visible } from "../../text/visible.ts"

/**
 * Text that a person decides by: harmless, and with all that cannot be seen named (`<U+200B>`), so that
 * two texts that differ look different. Joiners stay within emoji and in scripts that need them.
 *
 * @example
 * exactly("rm\u200b -rf\r\n") // "rm<U+200B> -rf^M\n"
 */
export function exactly(text: string): string {
  const named = visible(text.replaceAll("\r", "^M"))
  return named.replace(unseen, (character, at: number) => {
    const after = named.slice(at + character.length, at + character.length + 2)
    if (joins(character, named.slice(Math.max(0, at - 2), at), after)) return character
    const code = character.codePointAt(0) ?? 0
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
  })
}

/** The same for a diff: where all its lines end in CRLF the ends say nothing. */
export function exactlyDiff(patch: string): string {
  const lines = patch
    .split("\n")
    .filter(line => /^[-+ ]/.test(line) && !/^(---|\+\+\+) /.test(line))
  const isUniform = lines.length > 0 && lines.every(line => line.endsWith("\r"))
  return exactly(isUniform ? patch.replaceAll("\r\n", "\n") : patch)
}

/** What takes no room, or breaks a line in some terminals only. */
const unseen = /[\u2028\u2029\ufff9\ufffa\ufffb]|\p{Default_Ignorable_Code_Point}/gu

/** True for what changes how its neighbours look: they show that it is there. */
function joins(character: string, before: string, after: string): boolean {
  if (character === "\ufe0f") {
    return /\p{Extended_Pictographic}$/u.test(before) || after.startsWith("\u20e3")
  }
  if (character !== "\u200c" && character !== "\u200d") return false
  if (
    character === "\u200d" &&
    /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}|\ufe0f)$/u.test(before)
  ) {
    return /^\p{Extended_Pictographic}/u.test(after)
  }
  return joined.test(before.slice(-1)) && joined.test(after.slice(0, 1))
}

/** Letters and marks of Arabic and the scripts of India, whose shapes joiners change. */
const joined = /[\u0620-\u07ff\u0900-\u0dff]/
