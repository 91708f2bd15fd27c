import type { Limits, OpenConversation, Spent } from "@harness/protocol"
import type { Account } from "./account.ts"

/** What a limit's message says, in one line: which one, what was spent, and the command that goes on. */
export interface LimitMessages {
  steps(): string
  wall(elapsedMs: number): string
  /** `needed`: what the next request can come to at least. */
  tokens(needed: number): string
  cost(needed: number): string
  wayOn(advice?: Advice): string
}

/** What else is needed to go on. */
export type Advice = {
  /** What must be done before the command, as a clause: `raise limits.evidence_bytes`. */
  first?: string
  /** What the command raises: `{ max_cost: "0.02" }`. */
  raise?: { max_cost?: string; max_tokens?: string }
}

/** What options set for this opening: the command that goes on must set it too. */
export type GivenLimits = Pick<
  OpenConversation,
  "max_cost" | "max_tokens" | "max_steps" | "max_wall_seconds" | "allow_unknown_price"
>

export function createLimitMessages({
  conversation,
  given,
  limits,
  account,
}: {
  conversation: string
  given: GivenLimits
  limits: Pick<Limits, "max_steps" | "max_cost" | "max_tokens" | "max_wall_seconds">
  account: Account
}): LimitMessages {
  function wayOn({ first, raise = {} }: Advice = {}): string {
    const options = {
      "max-cost": raise.max_cost ?? given.max_cost,
      "max-tokens": raise.max_tokens ?? given.max_tokens,
      "max-steps": given.max_steps,
      "max-wall-seconds": given.max_wall_seconds,
    }
    const set = Object.entries(options).filter(([, value]) => value !== undefined)
    const words = set.map(([name, value]) => ` --${name} ${value}`)
    if (given.allow_unknown_price) words.push(" --allow-unknown-price")
    const command = `harness run --resume ${conversation} "go on"${words.join("")}`
    const spent = spentWords(account.spent(), account.taken().cost)
    return `Spent: ${spent}. To go on${first === undefined ? "" : `, ${first}, then`}: ${command}`
  }

  return {
    wayOn,
    steps: () => `The limit of ${counted(limits.max_steps, "step")} a turn is reached. ${wayOn()}`,

    wall(elapsedMs) {
      const passed = Math.round(elapsedMs / 1_000)
      return `The limit of ${limits.max_wall_seconds} s a turn is reached: ${passed} s have passed. ${wayOn()}`
    },

    tokens(needed) {
      const limit = limits.max_tokens ?? 0
      const { tokens } = account.taken()
      const raise = { max_tokens: `${Math.ceil(Number(enough(limit, tokens + needed)))}` }
      return `The limit of ${counted(limit, "token")} is reached: ${grouped(tokens)} are taken, and the next request can take ${grouped(needed)}. ${wayOn({ raise })}`
    },

    cost(needed) {
      const limit = limits.max_cost ?? 0
      const { cost } = account.taken()
      const raise = { max_cost: enough(limit, cost + needed) }
      return `The cost limit of ${limit} USD is reached: the next request can cost ${usd(needed)}. ${wayOn({ raise })}`
    },
  }
}

function spentWords({ steps, input_tokens, output_tokens, cost }: Spent, takenUsd: number): string {
  const known = cost === null ? "an unknown cost" : usd(cost)
  const more = takenUsd - (cost ?? 0)
  // Sums of the same prices in another order differ in their last digits.
  const unknown =
    more < 1e-9 ? "" : `, and at most ${usd(more)} for requests whose cost nobody told`
  const tokens = counted(input_tokens + output_tokens, "token")
  return `${counted(steps, "step")}, ${tokens}, ${known}${unknown}`
}

/** A limit that the next request fits into, and then some: two digits, rounded up, as an option has it. */
function enough(limit: number, needed: number): string {
  const wanted = Math.max(2 * limit, needed * 1.25)
  const unit = 10 ** (Math.floor(Math.log10(wanted)) - 1)
  // The division's own error must not add a unit.
  const units = Math.ceil(wanted / unit - 1e-6)
  const decimals = Math.max(0, -Math.floor(Math.log10(unit)))
  const text = (units * unit).toFixed(decimals)
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text
}

/** Two decimals; of less than ten cents, two digits. */
function usd(amount: number): string {
  const decimals = amount === 0 || amount >= 0.1 ? 2 : 1 - Math.floor(Math.log10(amount))
  return `${amount.toFixed(Math.min(decimals, 12))} USD`
}

function counted(count: number, unit: string): string {
  return `${grouped(count)} ${unit}${count === 1 ? "" : "s"}`
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}
