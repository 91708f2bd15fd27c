import type { DurableEvent, Spent, Usage } from "@harness/protocol"

/** What a tree of agents shares: what it has spent, and what its requests in flight may spend. */
export type Account = {
  /** As people are told it. */
  spent: Spent
  /** As limits count it: where a provider tells nothing, the reservation counts. */
  charged: Amount
  /** What each request in flight can come to. */
  held: Set<Amount>
  stepsInTurn: number
  turnStartedMs: number
}

/** USD and tokens, input and output together. */
export type Amount = { cost: number; tokens: number }

/** The account of a conversation that has these events behind it. */
export function openAccount(events: readonly DurableEvent[], nowMs: number): Account {
  const spent: Spent = {
    steps: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    cost: 0,
  }
  const account: Account = {
    spent,
    charged: { cost: 0, tokens: 0 },
    held: new Set(),
    stepsInTurn: 0,
    turnStartedMs: nowMs,
  }
  for (const event of events) {
    if (event.type === "step_started") spent.steps += 1
    if (event.type !== "step_ended") continue
    const tokens = (event.usage.input_tokens ?? 0) + (event.usage.output_tokens ?? 0)
    charge(account, event, { cost: event.cost ?? 0, tokens })
  }
  return account
}

/** What is spent or may be, at most. */
export function taken({ charged, held }: Account): Amount {
  const sum = { ...charged }
  for (const { cost, tokens } of held) {
    sum.cost += cost
    sum.tokens += tokens
  }
  return sum
}

/** Enters one answered request. */
export function charge(
  { spent, charged }: Account,
  { usage, cost }: { usage: Usage; cost: number | null },
  amount: Amount,
): void {
  spent.input_tokens += usage.input_tokens ?? 0
  spent.cached_input_tokens += usage.cached_input_tokens ?? 0
  spent.output_tokens += usage.output_tokens ?? 0
  spent.cost = spent.cost === null || cost === null ? null : spent.cost + cost
  charged.cost += amount.cost
  charged.tokens += amount.tokens
}
