/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOf(character)
  return columns
}

/** A text of several lines in one. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ⏎ ")
}

/** The text in at most `columns`, cut with `…` at its end. */
export function clipped(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${fitting([...text], columns - 1)}…`
}

/** The same, but what stays is the end: for the names of models. */
export function clippedBefore(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const end = fitting([...text].toReversed(), columns - 1)
  return `…${[...end].toReversed().join("")}`
}

export function padded(text: string, columns: number, side: "left" | "right"): string {
  const gap = " ".repeat(Math.max(0, columns - widthOf(text)))
  return side === "left" ? gap + text : text + gap
}

function fitting(characters: string[], columns: number): string {
  let left = columns
  const taken = characters.findIndex(character => {
    left -= columnsOf(character)
    return left < 0
  })
  return characters.slice(0, taken === -1 ? undefined : taken).join("")
}

const combining = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

function columnsOf(character: string): number {
  if (character < "\u0300") return 1
  if (combining.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
