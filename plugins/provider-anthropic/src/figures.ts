import type { ModelFigures } from "@harness/models/catalogue"
import type { Settings } from "./settings.ts"

/** What the catalogue knows of the model, with what Anthropic charges to keep a prompt for so long. */
export async function figuresFor(
  model: string,
  { baseUrl, config }: Pick<Settings, "baseUrl" | "config">,
): Promise<ModelFigures> {
  const { figuresOf } = await import("@harness/models/catalogue")
  const figures = await figuresOf(model, { baseUrl, vendor: "anthropic" })
  const { price } = figures
  if (price === undefined || config.cache_ttl !== "1h") return figures

  const { tiers } = price
  const hourly = { ...keptForAnHour(price), ...(tiers && { tiers: tiers.map(keptForAnHour) }) }
  return { ...figures, price: hourly }
}

/** The catalogue has the price of five minutes; an hour costs twice the input. */
function keptForAnHour<Rates extends { input: number }>(rates: Rates): Rates {
  return { ...rates, cache_write: 2 * rates.input }
}
