import type { DurableEvent, Ending, Limits, Message, Price, Spent, Usage } from "@harness/protocol"
import { type Account, type Amount, amountOf, openAccount } from "./account.ts"
import {
  type Advice,
  createLimitMessages,
  type GivenLimits,
  type LimitMessages,
} from "./limit-messages.ts"
import { assertPriced, costAtMost, costOf, outputTokensFor } from "./price.ts"
import { countInput, type Reported, reportedIn } from "./reported-input.ts"
import type { TurnClock } from "./turn-clock.ts"

/** Leave for one model request. Settle it when an answer came; else release it or count it as lost. */
export type Reserved = {
  status: "reserved"
  /** The cap that the request must carry. */
  maxOutputTokens?: number
  /** The limit that the cap was lowered for. */
  cappedBy?: "cost" | "tokens"
  /** The most that the request can come to; the cost is 0 when nobody knows the price. */
  amount: Amount
  inputTokens: number
  /** How many messages the request holds, and which. */
  messages: number
  held: WeakSet<Message>
  /** Its input tells nothing of the requests of the conversation. */
  apart: boolean
}

export type LimitReached = {
  status: "limit"
  limit: "steps" | "cost" | "tokens" | "wall"
  /** What was reached, what was spent, and the command that goes on. */
  message: string
}

/** What one agent may spend; the whole tree of a conversation's agents shares one account. */
export interface Budget {
  /**
   * Begins to count the steps and the time of a turn. For the agent that the user talks to. The
   * signal that it returns is aborted by the given one, or at the time limit with the ending as its
   * reason: what runs then ends. `stop` must be called at the turn's end.
   */
  startTurn(signal: AbortSignal): { signal: AbortSignal; stop: () => void }
  /**
   * Asked before each model request, which counts as a step. What it can come to at most is held
   * until it is settled: the input that the provider last reported, each byte added since as a token
   * (no tokenizer makes more), and the output up to its cap, which is lowered to what fits. Where it
   * would fit but for what other agents hold, it waits for them. Rejects with the signal's reason.
   */
  reserve(request: {
    messages: readonly Message[]
    maxOutputTokens?: number | undefined
    /** True for a request with other instructions and tools than those of the conversation. */
    apart?: boolean
    signal: AbortSignal
  }): Promise<Reserved | LimitReached>
  /**
   * Asked before a request is made again whose last try may have been billed (it was sent, and not
   * refused): that try counts as reserved, and another one must fit.
   */
  repeat(reserved: Reserved): LimitReached | null
  /**
   * Enters what the request really came to and returns its cost: the provider's own figure, else by
   * the price, else null. What the provider did not tell counts as reserved.
   */
  settle(reserved: Reserved, answer: { usage: Usage; cost: number | null }): number | null
  /** Gives back what is not settled: the request cannot have been billed. */
  release(reserved: Reserved): void
  /** Counts it as reserved: the request was sent, and nobody knows what it came to. */
  lose(reserved: Reserved): void
  /** A reply was as long as it could be: null unless that was for a limit of this budget. */
  cutOff(reserved: Reserved): LimitReached | null
  /** The budget of a sub-agent. Throws `price_unknown`. */
  child(model: BudgetModel): Budget
  /** The next requests are this model's, with these definitions. Throws `price_unknown`. */
  use(model: BudgetModel): void
  /** What is known to be spent. */
  spent(): Spent
  /** The end of a limit's message, for any limit: what was spent, and the command that goes on. */
  wayOn(advice?: Advice): string
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
 * Opens the budget of a conversation. Throws `price_unknown` when there is a cost limit, nobody
 * knows what the model costs, and `allow_unknown_price` is not set.
 *
 * @example
 * const budget = createBudget({ conversation, limits, model, clock, events: [], messages: [] })
 * const turn = budget.startTurn(signal)
 * const reserved = await budget.reserve({ messages, signal: turn.signal })
 */
export function createBudget(options: {
  /** The conversation's id: a limit's message says how to go on with it. */
  conversation: string
  /** Of the limits, those that options have set: only then does the message repeat them. */
  given?: GivenLimits
  limits: BudgetLimits
  model: BudgetModel
  /** It stands still while a person is waited for: that is not the turn's time. */
  clock: TurnClock
  /** What the conversation has behind it, and the messages that come of it. */
  events: readonly DurableEvent[]
  messages: readonly Message[]
}): Budget {
  const { conversation, given = {}, limits, model, clock, events, messages } = options
  const account = openAccount(events)
  const tell = createLimitMessages({ conversation, given, limits, account })
  return budgetOf(model, { limits, account, clock, tell }, reportedIn(events, messages, model.id))
}

type Shared = { limits: BudgetLimits; account: Account; clock: TurnClock; tell: LimitMessages }

function budgetOf(first: BudgetModel, shared: Shared, told?: Reported): Budget {
  const { account, limits, clock, tell } = shared
  assertPriced(first, limits)
  let model = first
  let reported = told

  function amountFor(inputTokens: number, outputTokens: number): Amount {
    const { price } = model
    const cost = price === undefined ? 0 : costAtMost({ inputTokens, outputTokens }, price)
    return { cost, tokens: inputTokens + outputTokens }
  }

  /** Null where something does not fit, with what is missing. */
  function doesNotFit(wanted: Amount, taken: Amount): LimitReached | null {
    if (limits.max_tokens !== null && taken.tokens + wanted.tokens > limits.max_tokens) {
      return { status: "limit", limit: "tokens", message: tell.tokens(wanted.tokens) }
    }
    if (limits.max_cost !== null && taken.cost + wanted.cost > limits.max_cost) {
      return { status: "limit", limit: "cost", message: tell.cost(wanted.cost) }
    }
    return null
  }

  return {
    startTurn(signal) {
      account.startTurn()
      return clock.start(signal, { seconds: limits.max_wall_seconds, reason: wallEnding })
    },

    async reserve({ messages, maxOutputTokens, apart = false, signal }) {
      const inputTokens = countInput(messages, reported, model.fixedBytes)
      const isLimited = limits.max_cost !== null || limits.max_tokens !== null
      const wanted =
        maxOutputTokens ?? Math.min(defaultOutputTokens, model.outputTokens ?? defaultOutputTokens)
      const least = amountFor(inputTokens, Math.min(wanted, leastOutputTokens))

      for (;;) {
        signal.throwIfAborted()
        const ended = stepsOrWall()
        if (ended !== null) return ended

        const refused = doesNotFit(least, account.taken())
        if (refused === null) break
        const others = account.freed()
        if (others === null || doesNotFit(least, account.charged()) !== null) return refused
        await untilAborted(others, signal)
      }

      const { output, cappedBy } = outputThatFits(inputTokens, wanted, model.price, shared)
      const amount = amountFor(inputTokens, output)
      account.hold(amount)
      const cap = isLimited ? output : maxOutputTokens
      return {
        status: "reserved",
        ...(cap !== undefined && { maxOutputTokens: cap }),
        ...(cappedBy !== undefined && { cappedBy }),
        amount,
        inputTokens,
        messages: messages.length,
        held: new WeakSet(messages),
        apart,
      }
    },

    repeat({ amount }) {
      const refused = doesNotFit(amount, account.taken())
      if (refused === null) account.charge(amount)
      return refused
    },

    settle(reserved, { usage, cost }) {
      const known = cost ?? costOf(usage, model.price)
      const charged = amountOf(usage, known, reserved.amount)
      if (!account.settle(reserved.amount, { usage, cost: known, charged })) return known

      const { messages, held, apart } = reserved
      const inputTokens = usage.input_tokens ?? reserved.inputTokens
      if (!apart) reported = { inputTokens, held, messages }
      return known
    },

    cutOff({ cappedBy, inputTokens }) {
      if (cappedBy === undefined) return null
      const next = amountFor(inputTokens, leastOutputTokens)
      const message = cappedBy === "cost" ? tell.cost(next.cost) : tell.tokens(next.tokens)
      return { status: "limit", limit: cappedBy, message }
    },

    release: ({ amount }) => account.release(amount),
    lose: ({ amount }) => account.lose(amount),
    child: other => budgetOf(other, shared),
    use(next) {
      assertPriced(next, limits)
      model = next
      // What another model counted, or with other definitions, tells nothing of the next request.
      reported = undefined
    },
    spent: account.spent,
    wayOn: tell.wayOn,
  }

  function stepsOrWall(): LimitReached | null {
    if (account.stepsInTurn() >= limits.max_steps) {
      return { status: "limit", limit: "steps", message: tell.steps() }
    }
    const { max_wall_seconds: seconds } = limits
    if (seconds === null || clock.elapsedMs() < seconds * 1_000) return null
    return { status: "limit", limit: "wall", message: tell.wall(clock.elapsedMs()) }
  }

  function wallEnding(): Ending {
    return { status: "limit_reached", limit: "wall", message: tell.wall(clock.elapsedMs()) }
  }
}

/** Resolves with the promise, or when the signal is aborted before. */
function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const settle = () => {
      signal.removeEventListener("abort", settle)
      resolve()
    }
    signal.addEventListener("abort", settle, { once: true })
    void promise.then(settle)
  })
}

/** Below this many tokens an answer is not worth its input. */
const leastOutputTokens = 256

/** The cap when money or tokens are limited and nobody named one. */
const defaultOutputTokens = 16_384

/** How much of the wanted output fits into what is left, and for which limit it is less. */
function outputThatFits(
  inputTokens: number,
  wanted: number,
  price: Price | undefined,
  { limits, account }: Shared,
): { output: number; cappedBy?: "cost" | "tokens" } {
  const taken = account.taken()
  const byTokens =
    limits.max_tokens === null
      ? Number.POSITIVE_INFINITY
      : limits.max_tokens - taken.tokens - inputTokens

  let byCost = Number.POSITIVE_INFINITY
  if (limits.max_cost !== null && price !== undefined) {
    const inputCost = costAtMost({ inputTokens, outputTokens: 0 }, price)
    byCost = outputTokensFor(limits.max_cost - taken.cost - inputCost, price, inputTokens)
  }

  const output = Math.min(wanted, byTokens, byCost)
  if (output === wanted) return { output }
  return { output, cappedBy: output === byCost ? "cost" : "tokens" }
}
