/** A piece of work of one step: `parallel` for what only reads or observes. */
export type Work<Result> = { parallel: boolean; run: () => Promise<Result> }

/**
 * Runs the work of one step: neighbours that only read run side by side, everything else alone and
 * in the model's order, so that a read after a write sees what was written. Results keep the order.
 */
export async function inOrder<Result>(work: readonly Work<Result>[]): Promise<Result[]> {
  const results: Result[] = []
  for (const group of groups(work)) {
    results.push(...(await Promise.all(group.map(piece => piece.run()))))
  }
  return results
}

function groups<Result>(work: readonly Work<Result>[]): Work<Result>[][] {
  const grouped: Work<Result>[][] = []
  for (const piece of work) {
    const last = grouped.at(-1)
    if (last && piece.parallel && last.every(other => other.parallel)) last.push(piece)
    else grouped.push([piece])
  }
  return grouped
}
