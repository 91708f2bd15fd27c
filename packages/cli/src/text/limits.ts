import type { Ending } from "@harness/protocol"

/** `stopped HARNESS_MAX_COST reached (1.00)  conversation 7f3a2c is resumable: harness --resume 7f3a2c`. */
export function limitLine(
  { limit, message }: Extract<Ending, { status: "limit_reached" }>,
  conversation: string,
): string {
  const figure = /\d[\d,.]*/.exec(message)?.[0].replace(/[.,]$/, "") ?? ""
  const variable = limitVariables.get(limit)
  const what =
    variable === undefined
      ? `limit reached (${limit})`
      : `${variable} reached (${limit === "cost" ? Number(figure).toFixed(2) : figure})`
  return `stopped ${what}  conversation ${conversation} is resumable: harness --resume ${conversation}`
}

const limitVariables = new Map([
  ["cost", "HARNESS_MAX_COST"],
  ["steps", "HARNESS_MAX_STEPS"],
])
