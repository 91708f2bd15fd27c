import { failure, type Limits, type Price, type Usage } from "@harness/protocol"

/** Throws `price_unknown` where a cost limit could not be kept for lack of a price. */
export function assertPriced(
  model: { id: string; price: Price | undefined },
  limits: Pick<Limits, "max_cost" | "allow_unknown_price">,
): void {
  const mustBeKnown = limits.max_cost !== null && !limits.allow_unknown_price
  if (mustBeKnown && model.price === undefined) throw failure("price_unknown", { model: model.id })
}

/** What a request cost in USD; null when the price or a count of tokens is not known. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  const { input_tokens: input, output_tokens: output } = usage
  if (price === undefined || input === null || output === null) return null

  const cached = Math.min(usage.cached_input_tokens ?? 0, input)
  const written = Math.min(usage.cache_write_input_tokens ?? 0, input - cached)
  const rates = ratesFor(input, price)
  const inputCost =
    (input - cached - written) * rates.input +
    cached * (rates.cached_input ?? rates.input) +
    written * (rates.cache_write ?? rates.input)
  return (inputCost + output * rates.output) / perMillion
}

/**
 * The most that a request of at most so many tokens can cost in USD, whatever of its input was
 * cached, and whatever tier it comes to.
 */
export function costAtMost(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  price: Price,
): number {
  const dearest = dearestRates(inputTokens, price)
  return (inputTokens * dearest.input + outputTokens * dearest.output) / perMillion
}

/**
 * How many tokens of output so many USD pay for beside an input of at most so many tokens, which they
 * do not pay for; without it, beside any.
 */
export function outputTokensFor(
  usd: number,
  price: Price,
  inputTokens = Number.POSITIVE_INFINITY,
): number {
  if (usd < 0) return 0
  const { output } = dearestRates(inputTokens, price)
  return output === 0 ? Number.POSITIVE_INFINITY : Math.floor((usd * perMillion) / output)
}

const perMillion = 1_000_000

type Rates = Omit<Price, "tiers">

/** The rates of the highest tier that the input exceeds price the whole request. */
function ratesFor(inputTokens: number, price: Price): Rates {
  return reachable(inputTokens, price).reduce<{ above: number; rates: Rates }>(
    (highest, { above_input_tokens: above, ...rates }) =>
      above >= highest.above ? { above, rates } : highest,
    { above: -1, rates: price },
  ).rates
}

/** The dearest rate of each kind: a smaller request can fall into a tier that costs more. */
function dearestRates(inputTokens: number, price: Price): { input: number; output: number } {
  const all: Rates[] = [price, ...reachable(inputTokens, price)]
  return {
    input: Math.max(
      ...all.map(({ input, cached_input = 0, cache_write = 0 }) =>
        Math.max(input, cached_input, cache_write),
      ),
    ),
    output: Math.max(...all.map(({ output }) => output)),
  }
}

function reachable(inputTokens: number, { tiers = [] }: Price) {
  return tiers.filter(tier => inputTokens > tier.above_input_tokens)
}
