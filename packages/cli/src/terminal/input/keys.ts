import type { Key } from "ink"
import type { Edit } from "./edit.ts"

/** A key of the line: an edit, or what only the component can do. */
export type LineKey = Edit | { type: "complete" } | { type: "outside" }

/**
 * What a key means. Several may come at once: a fast writer's letters and the Enter after them are one
 * event.
 *
 * @param input the letters, as Ink gives them
 */
export function keysOf(input: string, key: Key): LineKey[] {
  const named = namedKey(key)
  if (named !== null) return [named]
  if (key.ctrl) return known(controls[input])
  if (key.meta) return known(metas[input])
  if (isUnknownSequence(input)) return input === shiftEnter ? [{ type: "newline" }] : []
  return lettersOf(input)
}

function namedKey(key: Key): LineKey | null {
  const byWord = key.ctrl || key.meta
  if (key.return) return key.meta || key.shift ? { type: "newline" } : { type: "enter" }
  if (key.escape) return { type: "escape" }
  if (key.tab) return { type: "complete" }
  if (key.backspace) {
    return byWord
      ? { type: "delete", to: "word_left", keep: true }
      : { type: "delete", to: "left", keep: false }
  }
  if (key.delete) {
    return byWord
      ? { type: "delete", to: "word_right", keep: true }
      : { type: "delete", to: "right", keep: false }
  }
  if (key.leftArrow) return { type: "move", to: byWord ? "word_left" : "left" }
  if (key.rightArrow) return { type: "move", to: byWord ? "word_right" : "right" }
  if (key.upArrow) return { type: "move", to: "up" }
  if (key.downArrow) return { type: "move", to: "down" }
  if (key.home) return { type: "move", to: "line_start" }
  return key.end ? { type: "move", to: "line_end" } : null
}

const controls: Readonly<Record<string, LineKey>> = {
  a: { type: "move", to: "line_start" },
  b: { type: "move", to: "left" },
  c: { type: "cancel" },
  d: { type: "delete", to: "right", keep: false },
  e: { type: "move", to: "line_end" },
  f: { type: "move", to: "right" },
  g: { type: "outside" },
  j: { type: "newline" },
  k: { type: "delete", to: "line_end", keep: true },
  n: { type: "move", to: "down" },
  p: { type: "move", to: "up" },
  r: { type: "search" },
  u: { type: "delete", to: "line_start", keep: true },
  w: { type: "delete", to: "space_left", keep: true },
  y: { type: "yank" },
  _: { type: "undo" },
  "/": { type: "undo" },
}

const metas: Readonly<Record<string, LineKey>> = {
  b: { type: "move", to: "word_left" },
  d: { type: "delete", to: "word_right", keep: true },
  f: { type: "move", to: "word_right" },
}

function known(key: LineKey | undefined): LineKey[] {
  return key === undefined ? [] : [key]
}

/** Shift-Enter of a terminal that tells it apart, in xterm's older form. */
const shiftEnter = "[27;2;13~"

/** What is left of a key's sequence that Ink does not know; nobody types it. */
function isUnknownSequence(input: string): boolean {
  return /^\[\d[\d;]*[~u]$/.test(input)
}

/** Lines without the marks of a paste were pasted, too, unless it is one line and its Enter. */
function lettersOf(input: string): LineKey[] {
  const isPasted = /[\r\n]./s.test(input)
  if (isPasted) return [{ type: "paste", text: input }]
  return input.split(controlCharacters).flatMap(part => {
    if (part === "") return []
    if (part === "\r") return [{ type: "enter" as const }]
    if (part === "\n") return [{ type: "newline" as const }]
    if (part.length > 1 || part >= " ") return [{ type: "type" as const, text: part }]
    return part === "\t" ? [{ type: "complete" as const }] : known(controls[letterOf(part)])
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const controlCharacters = /([\u0000-\u001f])/

/** `a` for Ctrl-A. */
function letterOf(control: string): string {
  return String.fromCharCode(control.charCodeAt(0) + 0x40).toLowerCase()
}
