import type { Price, Usage } from "@harness/protocol"

/** What a request cost in USD; null when the price or a count of tokens is not known. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  const { input_tokens: input, output_tokens: output } = usage
  if (price === undefined || input === null || output === null) return null

  const cached = Math.min(usage.cached_input_tokens ?? 0, input)
  const written = Math.min(usage.cache_write_input_tokens ?? 0, input - cached)
  const inputCost =
    (input - cached - written) * price.input +
    cached * (price.cached_input ?? price.input) +
    written * (price.cache_write ?? price.input)
  return (inputCost + output * price.output) / perMillion
}

/** The most that so many tokens can cost in USD, whatever of the input was cached. */
export function costAtMost(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  price: Price,
): number {
  const dearest = Math.max(price.input, price.cached_input ?? 0, price.cache_write ?? 0)
  return (inputTokens * dearest + outputTokens * price.output) / perMillion
}

/** How many tokens of output so many USD pay for. */
export function outputTokensFor(usd: number, price: Price): number {
  if (usd < 0) return 0
  return price.output === 0
    ? Number.POSITIVE_INFINITY
    : Math.floor((usd * perMillion) / price.output)
}

const perMillion = 1_000_000
