import type { LeftOut } from "@harness/sdk"

/**
 * Arguments with which ripgrep opens what has the wanted name, but no secret file and nothing in a
 * hidden place. Types do it, one for each pattern in its order: of those that match a name ripgrep
 * goes by the last, as the patterns mean it, and an ignore file of the project cannot undo it.
 */
export function openArgs({ secretFiles, places }: LeftOut, wanted: string | null): string[] {
  const secrets = typesOf(secretFiles, { open: false })
  const isAll = wanted === null && secrets.length === 0
  const first = isAll ? [] : [`--type-add=wanted:${wanted ?? "*"}`, "--type=wanted"]
  return [...placeArgs(places), ...first, ...secrets]
}

/** Arguments with which ripgrep sees the secret files alone; null when there can be none. */
export function secretArgs({ secretFiles, places }: LeftOut): string[] | null {
  if (secretFiles.length === 0) return null
  return [...placeArgs(places), ...typesOf(secretFiles, { open: true })]
}

function placeArgs(places: readonly string[]): string[] {
  return places.map(place => `--iglob=!/${escaped(place)}`)
}

function typesOf(patterns: readonly string[], { open }: { open: boolean }): string[] {
  return patterns.flatMap((pattern, index) => {
    const isTakenBack = pattern.startsWith("!")
    const flag = isTakenBack === open ? "type-not" : "type"
    const glob = inAnyCase(pattern.replace(/^!/, ""))
    return [`--type-add=secret${index}:${glob}`, `--${flag}=secret${index}`]
  })
}

/** Types are about the very letters: `*.pem` becomes `*.[pP][eE][mM]`. */
function inAnyCase(pattern: string): string {
  return pattern
    .split("*")
    .map(part => Array.from(part, characterInAnyCase).join(""))
    .join("*")
}

function characterInAnyCase(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
  const single = [...cases].filter(each => Array.from(each).length === 1)
  return single.length > 1 ? `[${single.join("")}]` : escaped(character)
}

/** A backslash does not escape on Windows; a class of one does anywhere. */
function escaped(text: string): string {
  return text.replace(/[?*[\]{},\\]/g, "[$&]")
}
