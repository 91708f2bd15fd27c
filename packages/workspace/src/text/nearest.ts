import { shortened } from "./words.ts"

/** A line that looks like what was looked for. */
export type NearLine = { line: number; text: string }

const SHOWN = 3
const SHOWN_CHARACTERS = 200

/** Of longer lines the beginning is compared: it tells them apart, and the work stays small. */
const COMPARED_CHARACTERS = 200

/** In how many lines to look; a text with more is searched with `search_files`. */
const LINES_COMPARED = 20_000

/** Lines of one file share many words, so that less than this says little. */
const LEAST_LIKENESS_OF_LINES = 0.6

/** Two letters exchanged in a short name leave this much. */
const LEAST_LIKENESS_OF_NAMES = 0.4

/** The lines most like the first line of `part` that is not blank, best first. */
export function nearestLines(text: string, part: string): NearLine[] {
  const wanted = part.split("\n").find(line => line.trim() !== "")
  if (wanted === undefined) return []

  const pairs = pairsOf(wanted)
  return text
    .split("\n", LINES_COMPARED)
    .map((content, index) => ({ line: index + 1, content, score: likeness(pairs, content) }))
    .filter(({ score }) => score >= LEAST_LIKENESS_OF_LINES)
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, SHOWN)
    .map(({ line, content }) => ({ line, text: shortened(content, SHOWN_CHARACTERS) }))
}

/** Those of `names` most like `name`, best first. */
export function nearestNames(names: readonly string[], name: string): string[] {
  const pairs = pairsOf(name.toLowerCase())
  return names
    .map(candidate => ({ candidate, score: likeness(pairs, candidate.toLowerCase()) }))
    .filter(({ score }) => score >= LEAST_LIKENESS_OF_NAMES)
    .sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ candidate }) => candidate)
}

/** Dice's coefficient over pairs of neighbouring characters: 0 for nothing in common, 1 for all. */
function likeness(wanted: ReadonlyMap<string, number>, candidate: string): number {
  const pairs = pairsOf(candidate)
  let common = 0
  for (const [pair, count] of pairs) common += Math.min(count, wanted.get(pair) ?? 0)

  const total = sizeOf(wanted) + sizeOf(pairs)
  return total === 0 ? 0 : (2 * common) / total
}

/** Pairs of characters with their counts; white space counts once, and the ends count as characters. */
function pairsOf(line: string): Map<string, number> {
  const spaced = `^${line.slice(0, COMPARED_CHARACTERS).trim().replace(/\s+/g, " ")}$`
  const pairs = new Map<string, number>()
  if (spaced.length === 2) return pairs

  for (let at = 0; at + 1 < spaced.length; at += 1) {
    const pair = spaced.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  let size = 0
  for (const count of pairs.values()) size += count
  return size
}
