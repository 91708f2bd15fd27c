import type { Price, Usage } from "@harness/protocol"

const tokensPerPriceUnit = 1_000_000

/**
 * What a request cost in USD, or null when its tokens are not known: an unknown cost is never 0.
 *
 * `input_tokens` holds the cached ones too; they cost `cached_input`, or the full price when the
 * price names none. Reasoning is part of the output.
 *
 * @example
 * costOf(usage, { input: 3, output: 15, cached_input: 0.3 })
 */
export function costOf(usage: Usage, price: Price): number | null {
  if (usage.input_tokens === null || usage.output_tokens === null) return null

  const cachedTokens = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens)
  const freshTokens = usage.input_tokens - cachedTokens
  const cachedPrice = price.cached_input ?? price.input

  return (
    (freshTokens * price.input + cachedTokens * cachedPrice + usage.output_tokens * price.output) /
    tokensPerPriceUnit
  )
}
