/** A dated name without its date, and one that ends in `-latest` without that. */
export function baseNameOf(name: string): string {
  return name.replace(/-(?:latest|20\d{6}|20\d\d-\d\d-\d\d)$/, "")
}

/**
 * The known name that a misspelt one is closest to: at most two letters away, and no other as close.
 * One with other digits is no misspelling: it is the next version.
 */
export function nearMissOf(name: string, known: readonly string[]): string | undefined {
  const candidates = known
    .filter(each => digitsOf(each) === digitsOf(name))
    .map(each => ({ each, distance: distanceOf(name, each) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)

  const [best, second] = candidates
  return best?.distance === second?.distance ? undefined : best?.each
}

function digitsOf(name: string): string {
  return name.replaceAll(/\D/g, "")
}

/** The number of letters to insert, remove or replace. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_cell, index) => index)

  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, wanted] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
