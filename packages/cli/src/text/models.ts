import type { ListedModel, Price } from "@harness/protocol"
import { columnsOf } from "./columns.ts"
import { tokens } from "./format.ts"
import { padded, widthOf } from "./width.ts"

/** Models as a table; where it does not fit `columns`, each as a few short lines. */
export function modelLines(models: readonly ListedModel[], columns = Infinity): string {
  const table = tableOf(models)
  const widest = Math.max(...table.split("\n").map(widthOf))
  return widest <= columns ? table : models.map(model => `${linesOf(model)}\n`).join("")
}

const head = ["", "model", "window", "output", "images", "$ in", "$ cached", "$ out", "notes"]

/** The columns of numbers, from the window to the price of output. */
const numbers = { first: 2, last: 7 }

function tableOf(models: readonly ListedModel[]): string {
  const rows = [head, ...models.map(cellsOf)]
  const widths = head.map((_name, at) => Math.max(...rows.map(row => widthOf(row[at] ?? ""))))
  const aligned = rows.map(row =>
    row.map((cell, at) =>
      at < numbers.first || at > numbers.last ? cell : padded(cell, widths[at] ?? 0, "left"),
    ),
  )
  return columnsOf(aligned)
}

function cellsOf(model: ListedModel): string[] {
  const { price } = model
  return [
    model.default ? "*" : "",
    model.id,
    tokens(model.context_tokens),
    tokens(model.output_tokens),
    imagesOf(model),
    price === null ? "unknown" : usd(price.input),
    price === null ? "" : usd(price.cached_input ?? price.input),
    price === null ? "" : usd(price.output),
    notesOf(model).join("; "),
  ]
}

function linesOf(model: ListedModel): string {
  const { price } = model
  const costs =
    price === null
      ? "price unknown"
      : `$ in ${usd(price.input)}, cached ${usd(price.cached_input ?? price.input)}, out ${usd(price.output)}`
  return [
    `${model.default ? "* " : ""}${model.id}`,
    `  window ${tokens(model.context_tokens)}, output ${tokens(model.output_tokens)}, images ${imagesOf(model)}`,
    `  ${costs}`,
    ...notesOf(model).map(note => `  ${note}`),
  ].join("\n")
}

function imagesOf({ images }: ListedModel): string {
  if (images === null) return "unknown"
  return images ? "yes" : "no"
}

function notesOf({ price, configured }: ListedModel): string[] {
  const tiers = price?.tiers ?? []
  const own = configured.map(figure => names[figure]).join(", ")
  return [...tiers.map(tierInWords), ...(own === "" ? [] : [`${own}: config.jsonc`])]
}

const names: Record<ListedModel["configured"][number], string> = {
  context_tokens: "window",
  output_tokens: "output",
  images: "images",
  price: "price",
}

function tierInWords(tier: NonNullable<Price["tiers"]>[number]): string {
  return `above ${tokens(tier.above_input_tokens)}: ${usd(tier.input)} in, ${usd(tier.output)} out`
}

/** At least two decimals, and as many as the price has. */
function usd(perMillion: number): string {
  const [whole = "0", decimals = ""] = perMillion.toFixed(6).replace(/0+$/, "").split(".")
  return `${whole}.${decimals.padEnd(2, "0")}`
}
