/** A path, and what it is compared by. */
export type RankedPath = {
  path: string
  folded: string
  /** Where the file's own name begins. */
  nameAt: number
}

export function rankedPath(path: string): RankedPath {
  const folded = path.toLowerCase()
  return { path, folded, nameAt: folded.lastIndexOf("/") + 1 }
}

/**
 * The paths that hold the letters in their order, whatever the case; best first: whose name begins
 * with them, whose name holds them, whose path holds them, and then those where they are scattered
 * least. Of equally good ones the shorter, and then by name.
 *
 * @example
 * bestOf([rankedPath("src/open.ts"), rankedPath("docs/opening.md")], "open", 1) // ["src/open.ts"]
 */
export function bestOf(paths: readonly RankedPath[], letters: string, limit: number): string[] {
  const wanted = letters.toLowerCase()
  const found = paths.flatMap(each => {
    const distance = distanceOf(each, wanted)
    return distance === null ? [] : [{ path: each.path, distance }]
  })
  return found
    .toSorted((one, other) => one.distance - other.distance || byPath(one.path, other.path))
    .slice(0, limit)
    .map(({ path }) => path)
}

/** Null where the letters are not in it. */
function distanceOf({ folded, nameAt }: RankedPath, wanted: string): number | null {
  if (wanted === "") return 0
  if (folded.startsWith(wanted, nameAt)) return 0
  if (folded.includes(wanted, nameAt)) return 1
  if (folded.includes(wanted)) return 2
  // A path is read from its name: what is scattered near the end is meant sooner.
  let at = folded.length
  let last = -1
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    at = at === 0 ? -1 : folded.lastIndexOf(wanted.charAt(index), at - 1)
    if (at < 0) return null
    if (last < 0) last = at
  }
  return 3 + (last - at + 1 - wanted.length)
}

function byPath(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : 1
}
