import { failure } from "@harness/protocol"

/** The longest string that a profile takes, in bytes. */
const LITERAL_BYTES = 1_025

/** A string of the profile's language. */
export function quoted(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes > LITERAL_BYTES || text.includes("\0")) {
    throw failure("sandbox_unavailable", {
      reason: `a profile of sandbox-exec cannot name a path of ${bytes} bytes: ${text.slice(0, 80)}…`,
      hint: `Use paths of at most ${LITERAL_BYTES} bytes.`,
    })
  }
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`
}

/** A regular expression of the profile's language. */
export function matching(pattern: string): string {
  return `(regex ${quoted(pattern)})`
}

/** A folder and all below it. */
export function below(path: string): string {
  return `(subpath ${quoted(path)})`
}

/** One path. */
export function just(path: string): string {
  return `(literal ${quoted(path)})`
}

/** The pattern for a text as it is, in any case where letters have two: the file system ignores it. */
export function literally(text: string): string {
  return [...text].map(character => literal(character)).join("")
}

function literal(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()]
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`
  // In brackets and not with a backslash, which the string around would take for its own.
  return /[.*+?$(){}|]/.test(character) ? `[${character}]` : character
}
