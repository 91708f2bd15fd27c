import type { DurableEvent, Spent, Usage } from "@harness/protocol"

/** What a tree of agents shares: what it has spent, and what its requests in flight may spend. */
export interface Account {
  /** A copy of what is known to be spent. */
  spent(): Spent
  /** As limits count it: where nobody told what a request came to, its reservation counts. */
  charged(): Amount
  /** What is charged, and what the requests in flight can come to on top of it. */
  taken(): Amount
  stepsInTurn(): number
  startTurn(): void
  /** Enters a request in flight, which is a step. */
  hold(amount: Amount): void
  /** The request was answered. False when it was not held any more. */
  settle(held: Amount, answer: Answer): boolean
  /** The request cannot have been billed. */
  release(held: Amount): void
  /** The request may have been billed to the full, and nobody will say: that counts. */
  lose(held: Amount): void
  /** Enters a try of a request in flight that was lost, on top of what it still can come to. */
  charge(amount: Amount): void
  /** Null when no request is in flight; else resolves when one no longer is. */
  freed(): Promise<void> | null
}

/** USD and tokens, input and output together. */
export type Amount = { cost: number; tokens: number }

/** What a request was told to have come to, and what of it is to be charged. */
export type Answer = { usage: Usage; cost: number | null; charged: Amount }

/** The account of a conversation that has these events behind it. */
export function openAccount(events: readonly DurableEvent[]): Account {
  const charged: Amount = { cost: 0, tokens: 0 }
  const spent = nothing()
  const held = new Set<Amount>()
  let stepsInTurn = 0
  let freed = Promise.withResolvers<void>()

  const charge = (amount: Amount) => {
    charged.cost += amount.cost
    charged.tokens += amount.tokens
  }
  const enter = ({ usage, cost, charged: amount }: Answer) => {
    spent.input_tokens += usage.input_tokens ?? 0
    spent.cached_input_tokens += usage.cached_input_tokens ?? 0
    spent.output_tokens += usage.output_tokens ?? 0
    spent.cost = spent.cost === null || cost === null ? null : spent.cost + cost
    charge(amount)
  }
  const letGo = (amount: Amount) => {
    const wasHeld = held.delete(amount)
    freed.resolve()
    freed = Promise.withResolvers()
    return wasHeld
  }

  for (const { step, answer, lost } of pastRequests(events)) {
    if (step) spent.steps += 1
    if (answer !== null) enter(answer)
    charge(lost)
  }

  return {
    spent: () => ({ ...spent }),
    charged: () => ({ ...charged }),
    taken: () => sumOf([charged, ...held]),
    stepsInTurn: () => stepsInTurn,
    startTurn() {
      stepsInTurn = 0
    },
    hold(amount) {
      held.add(amount)
      stepsInTurn += 1
      spent.steps += 1
    },
    settle(amount, answer) {
      const wasHeld = letGo(amount)
      if (wasHeld) enter(answer)
      return wasHeld
    },
    release(amount) {
      letGo(amount)
    },
    lose(amount) {
      if (letGo(amount)) charge(amount)
    },
    charge,
    freed: () => (held.size === 0 ? null : freed.promise),
  }
}

/** What the answer comes to; where it does not say, what was reserved. */
export function amountOf(usage: Usage, cost: number | null, reserved: Amount): Amount {
  const { input_tokens: input, output_tokens: output } = usage
  const tokens = input === null || output === null ? reserved.tokens : input + output
  return { cost: cost ?? reserved.cost, tokens }
}

type PastRequest = { step: boolean; answer: Answer | null; lost: Amount }

/**
 * The requests of a log. One without an ending was in flight when the turn was interrupted, or the
 * program ended: it may have been billed, so it counts as it was reserved.
 */
function pastRequests(events: readonly DurableEvent[]): PastRequest[] {
  const requests: PastRequest[] = []
  let reserved: Amount = { cost: 0, tokens: 0 }

  for (const event of events) {
    switch (event.type) {
      case "step_started":
      case "compaction_started":
        reserved = { cost: event.reserved?.cost ?? 0, tokens: event.reserved?.tokens ?? 0 }
        // A compaction that could not help asked nobody.
        requests.push({
          step: event.type === "step_started" || event.reserved !== undefined,
          answer: null,
          lost: reserved,
        })
        break
      case "step_failed":
        replaceLast(requests, { answer: null, lost: times(reserved, event.unanswered) })
        break
      case "step_ended":
      case "compaction_ended": {
        const { usage, cost, unanswered } = event
        const charged = amountOf(usage, cost, reserved)
        const answer = wasAnswered(event) ? { usage, cost, charged } : null
        replaceLast(requests, { answer, lost: times(reserved, unanswered) })
      }
    }
  }
  return requests
}

/** A compaction that failed may have come to nothing, or to an answer of no use. */
function wasAnswered(event: Extract<DurableEvent, { usage: Usage }>): boolean {
  if (event.type === "step_ended" || event.status === "compacted") return true
  return event.usage.input_tokens !== null || event.usage.output_tokens !== null
}

function replaceLast(requests: PastRequest[], end: Omit<PastRequest, "step">): void {
  const step = requests.pop()?.step ?? false
  requests.push({ step, ...end })
}

function times({ cost, tokens }: Amount, count = 0): Amount {
  return { cost: cost * count, tokens: tokens * count }
}

function sumOf(amounts: readonly Amount[]): Amount {
  const sum = { cost: 0, tokens: 0 }
  for (const { cost, tokens } of amounts) {
    sum.cost += cost
    sum.tokens += tokens
  }
  return sum
}

function nothing(): Spent {
  return { steps: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost: 0 }
}
