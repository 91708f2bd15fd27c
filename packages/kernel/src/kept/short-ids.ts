/** With fewer characters an id looks like a number or a word. */
const fewestCharacters = 6

/**
 * The shortest beginning of each id that no other one has.
 *
 * @example
 * shortIds(["4b825dc642cb", "4b825df00000"])("4b825dc642cb") // "4b825dc"
 */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = ids.toSorted()
  const lengths = new Map<string, number>()
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(
      ...[sorted[index - 1], sorted[index + 1]].map(other => sharedLength(id, other ?? "")),
    )
    lengths.set(id, Math.max(fewestCharacters, shared + 1))
  }
  return id => id.slice(0, lengths.get(id))
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
