/**
 * @param {number[]} values
 * @returns {number} NaN when there is none
 */
export function median(values) {
  const sorted = finite(values)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  const lower = sorted[middle - 1] ?? upper
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2
}

/**
 * The least of them: of sizes that sampling can only see too small, the largest is the truth.
 *
 * @param {number[]} values
 * @returns {number} NaN when there is none
 */
export function largest(values) {
  return finite(values).at(-1) ?? Number.NaN
}

/** @param {number[]} values */
function finite(values) {
  return values.filter(Number.isFinite).sort((left, right) => left - right)
}
