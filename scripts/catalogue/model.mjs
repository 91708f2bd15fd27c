/** @import { CatalogueModel } from "../../packages/models/src/catalogue/file.ts" */

/**
 * @typedef {{ input: number, output: number, cacheRead: number, cacheWrite: number }} Cost
 * @typedef {object} SourceModel
 * @property {string} type
 * @property {string} id
 * @property {string[]} input
 * @property {Cost & { tiers?: (Cost & { inputTokensAbove: number })[] }} cost
 * @property {number} contextWindow
 * @property {number} maxTokens
 */

/**
 * True for what an agent can talk to at a price that stays: `:batch` is another interface, and what
 * begins with `~` is whatever model is newest.
 *
 * @param {SourceModel} model
 */
export function isKept({ type, id }) {
  return type === "chat" && !id.startsWith("~") && !id.endsWith(":batch")
}

/**
 * A model of the source in our words.
 *
 * @param {SourceModel} model
 * @returns {CatalogueModel}
 */
export function modelOf({ id, input, cost, contextWindow, maxTokens }) {
  const price = priceOf(id, cost)
  return {
    ...(contextWindow > 0 && { context_tokens: contextWindow }),
    ...(maxTokens > 0 && { output_tokens: Math.min(maxTokens, contextWindow) }),
    input: input.includes("image") ? ["text", "image"] : ["text"],
    ...(price && { price }),
  }
}

/**
 * The source writes 0 for what it does not know, and for what is free: only a name that says so is.
 *
 * @param {string} id
 * @param {SourceModel["cost"]} cost
 * @returns {CatalogueModel["price"]}
 */
function priceOf(id, { tiers = [], ...cost }) {
  const isFree = id.endsWith(":free")
  if (isFree) return { input: 0, output: 0 }
  if (![cost, ...tiers].every(isPlausible)) return undefined

  const sorted = tiers.toSorted((one, other) => one.inputTokensAbove - other.inputTokensAbove)
  return {
    ...ratesOf(cost),
    ...(sorted.length > 0 && {
      tiers: sorted.map(({ inputTokensAbove, ...tier }) => ({
        above_input_tokens: inputTokensAbove,
        ...ratesOf(tier),
      })),
    }),
  }
}

/** @param {Cost} cost */
function isPlausible({ input, output, cacheRead, cacheWrite }) {
  return input > 0 && output > 0 && cacheRead >= 0 && cacheRead <= input && cacheWrite >= 0
}

/** @param {Cost} cost */
function ratesOf({ input, output, cacheRead, cacheWrite }) {
  return {
    input: rounded(input),
    output: rounded(output),
    ...(cacheRead > 0 && { cached_input: rounded(cacheRead) }),
    ...(cacheWrite > 0 && { cache_write: rounded(cacheWrite) }),
  }
}

/**
 * USD per million tokens, without what a float adds.
 *
 * @param {number} rate
 */
function rounded(rate) {
  return Number(rate.toFixed(6))
}
