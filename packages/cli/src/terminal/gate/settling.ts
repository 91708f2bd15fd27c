/** So long no key counts after something new appeared: somebody may be typing something else. */
export const settleMs = 300

export const tooSoon = "too soon to have been read: that key did not count"

/**
 * From when on keys count, after one that came at `atMs`. A key that comes too soon is one of somebody
 * who types: they must pause first.
 */
export function countsFrom(
  countsFromMs: number,
  atMs: number,
): { counts: boolean; fromMs: number } {
  return atMs >= countsFromMs
    ? { counts: true, fromMs: countsFromMs }
    : { counts: false, fromMs: atMs + settleMs }
}
