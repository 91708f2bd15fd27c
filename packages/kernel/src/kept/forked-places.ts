import type { KeptPlaces } from "../conversation/places-file.ts"

/** What the placeholders of a fork stand for that copied so many records: its own record is the first. */
export function forkedPlaces(kept: KeptPlaces | null, records: number): KeptPlaces | null {
  if (kept === null) return null
  const { earlier = [], ...last } = kept
  const before = earlier.filter(({ until }) => until < records)
  const { root, home, temp } = earlier[before.length] ?? last
  if (before.length === 0) return { root, home, temp }
  return { root, home, temp, earlier: before.map(past => ({ ...past, until: past.until + 1 })) }
}
