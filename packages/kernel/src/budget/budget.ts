import {
  type DurableEvent,
  failure,
  type LimitReason,
  type Limits,
  type Message,
  type Price,
  type Spent,
  type Usage,
} from "@harness/protocol"
import { type Account, type Amount, charge, openAccount, taken } from "./account.ts"
import { costAtMost, costOf, outputTokensFor } from "./price.ts"

/** Leave for one model request. Settle it when an answer came, release it when none did. */
export type Reserved = {
  status: "reserved"
  /** The cap that the request must carry. */
  maxOutputTokens?: number
  /** The most that the request can come to. */
  amount: Amount
  inputTokens: number
  /** How many messages the request holds. */
  messages: number
}

export type LimitReached = {
  status: "limit"
  limit: Extract<LimitReason, "steps" | "cost" | "tokens" | "wall">
  /** What was reached, what was spent, and how to go on. */
  message: string
}

/** What one agent may spend; the whole tree of a conversation's agents shares one account. */
export interface Budget {
  /** Begins to count the steps and the time of a turn. For the agent that the user talks to. */
  startTurn(): void
  /**
   * Asked before each model request. The request counts as a step. What it can come to at most is
   * held until it is settled: the input that the provider last reported, each byte added since as a
   * token (no tokenizer makes more), and the output up to its cap, which is lowered to what fits.
   */
  reserve(request: {
    messages: readonly Message[]
    maxOutputTokens?: number | undefined
  }): Reserved | LimitReached
  /**
   * Enters what the request really came to and returns its cost: the provider's own figure, else by
   * the price, else null. What the provider did not tell counts as reserved.
   */
  settle(reserved: Reserved, answer: { usage: Usage; cost: number | null }): number | null
  /** Gives back what is not settled: the request failed before there was an answer. */
  release(reserved: Reserved): void
  /** The budget of a sub-agent. Throws `price_unknown`. */
  child(model: BudgetModel): Budget
  spent(): Spent
}

export type BudgetModel = {
  /** `provider/model`. */
  id: string
  price: Price | undefined
  /** The most that one reply can hold; undefined when nobody knows it. */
  outputTokens?: number | undefined
  /** Bytes of what goes with each request besides the messages: instructions and tools. */
  fixedBytes: number
}

export type BudgetLimits = Pick<
  Limits,
  "max_steps" | "max_cost" | "allow_unknown_price" | "max_tokens" | "max_wall_seconds"
>

/**
 * Opens the budget of a conversation; `events` is what it has behind it. Throws `price_unknown`
 * when there is a cost limit and nobody knows what the model costs.
 *
 * @example
 * const budget = createBudget({ limits, model: { id, price, fixedBytes: 6_000 }, now, events: [] })
 * budget.startTurn()
 * const reserved = budget.reserve({ messages })
 */
export function createBudget(options: {
  limits: BudgetLimits
  model: BudgetModel
  /** A monotonic clock in milliseconds. */
  now: () => number
  events: readonly DurableEvent[]
}): Budget {
  const account = openAccount(options.events, options.now())
  return budgetOf(options.model, { limits: options.limits, now: options.now, account })
}

type Shared = { limits: BudgetLimits; now: () => number; account: Account }

function budgetOf(model: BudgetModel, shared: Shared): Budget {
  const { account, limits, now } = shared
  const mustBeKnown = limits.max_cost !== null && !limits.allow_unknown_price
  if (mustBeKnown && model.price === undefined) {
    throw failure("price_unknown", { model: model.id })
  }
  let reported = { inputTokens: model.fixedBytes, messages: 0 }

  return {
    startTurn() {
      account.stepsInTurn = 0
      account.turnStartedMs = now()
    },

    reserve({ messages, maxOutputTokens }) {
      const ended = stepsOrWall(shared)
      if (ended !== null) return ended

      const added = messages.slice(reported.messages)
      const inputTokens = reported.inputTokens + bytesOf(added)
      const output = outputCap(inputTokens, { maxOutputTokens, price: model.price, shared })
      if (typeof output === "object") return output

      const outputTokens = output ?? 0
      const cost = model.price ? costAtMost({ inputTokens, outputTokens }, model.price) : 0
      const amount = { cost, tokens: inputTokens + outputTokens }
      account.held.add(amount)
      account.stepsInTurn += 1
      account.spent.steps += 1
      return {
        status: "reserved",
        ...(output !== undefined && { maxOutputTokens: output }),
        amount,
        inputTokens,
        messages: messages.length,
      }
    },

    settle(reserved, { usage, cost }) {
      account.held.delete(reserved.amount)
      reported = {
        inputTokens: usage.input_tokens ?? reserved.inputTokens,
        messages: reserved.messages,
      }
      const known = cost ?? costOf(usage, model.price)
      const tokens =
        usage.input_tokens === null || usage.output_tokens === null
          ? reserved.amount.tokens
          : usage.input_tokens + usage.output_tokens
      charge(account, { usage, cost: known }, { cost: known ?? reserved.amount.cost, tokens })
      return known
    },

    release(reserved) {
      account.held.delete(reserved.amount)
    },
    child: other => budgetOf(other, shared),
    spent: () => ({ ...account.spent }),
  }
}

/** Below this many tokens an answer is not worth its input. */
const leastOutputTokens = 256

/** The cap when money or tokens are limited and nobody named one. */
const defaultOutputTokens = 16_384

function stepsOrWall({ account, limits, now }: Shared): LimitReached | null {
  if (account.stepsInTurn >= limits.max_steps) {
    const message = `The limit of ${limits.max_steps} steps a turn is reached. Send a message to go on, or raise --max-steps (limits.max_steps).`
    return { status: "limit", limit: "steps", message }
  }
  const seconds = (now() - account.turnStartedMs) / 1_000
  if (limits.max_wall_seconds !== null && seconds >= limits.max_wall_seconds) {
    const message = `The limit of ${limits.max_wall_seconds} seconds a turn is reached: ${Math.round(seconds)} have passed. Send a message to go on, or raise limits.max_wall_seconds.`
    return { status: "limit", limit: "wall", message }
  }
  return null
}

/** How much output fits into what is left; undefined when nothing bounds it. */
function outputCap(
  inputTokens: number,
  request: { maxOutputTokens: number | undefined; price: Price | undefined; shared: Shared },
): number | undefined | LimitReached {
  const { limits, account } = request.shared
  if (limits.max_cost === null && limits.max_tokens === null) return request.maxOutputTokens
  const wanted = request.maxOutputTokens ?? defaultOutputTokens
  const least = Math.min(wanted, leastOutputTokens)

  let cap = wanted
  if (limits.max_tokens !== null) {
    cap = Math.min(cap, limits.max_tokens - taken(account).tokens - inputTokens)
    if (cap < least) return tokensReached(limits.max_tokens, inputTokens + least, account)
  }
  if (limits.max_cost !== null && request.price) {
    const left = limits.max_cost - taken(account).cost
    const inputCost = costAtMost({ inputTokens, outputTokens: 0 }, request.price)
    cap = Math.min(cap, outputTokensFor(left - inputCost, request.price))
    const needed = costAtMost({ inputTokens, outputTokens: least }, request.price)
    if (cap < least) return costReached(limits.max_cost, needed, account)
  }
  return cap
}

function tokensReached(limit: number, needed: number, account: Account): LimitReached {
  const message = `The limit of ${limit} tokens is reached: ${taken(account).tokens} are used, and the next request can take ${needed}. Raise limits.max_tokens to go on.`
  return { status: "limit", limit: "tokens", message }
}

function costReached(limit: number, needed: number, account: Account): LimitReached {
  const message = `The cost limit of ${usd(limit)} is reached: ${usd(taken(account).cost)} is spent, and the next request can cost ${usd(needed)}. Raise --max-cost (limits.max_cost) to go on.`
  return { status: "limit", limit: "cost", message }
}

function bytesOf(messages: readonly Message[]): number {
  let bytes = 0
  for (const message of messages) bytes += Buffer.byteLength(JSON.stringify(message))
  return bytes
}

/** Two decimals; of less than ten cents, two digits. */
function usd(amount: number): string {
  const decimals = amount === 0 || amount >= 0.1 ? 2 : 1 - Math.floor(Math.log10(amount))
  return `${amount.toFixed(decimals)} USD`
}
