import type { Message } from "@harness/protocol"
import type { KnownFile } from "@harness/sdk"
import { keptFrom } from "./cut.ts"
import { factLines } from "./fact-lines.ts"
import type { Facts } from "./facts.ts"
import { mustTokens, type SaidPart, saidWithin } from "./said.ts"
import { tokensOfAll } from "./tokens.ts"
import type { ContextWindow, WindowSize } from "./window.ts"

/** What one try of a compaction makes of the messages. */
export type Plan = {
  status: "planned"
  /** What is summarised, and what stays as it is after it. */
  older: readonly Message[]
  kept: readonly Message[]
  said: readonly SaidPart[]
  facts: string
  /** What the summary may take. */
  summaryTokens: number
  /** What the next request may hold. */
  targetTokens: number
}

/** Nothing that may be left out is large enough. */
export type Irreducible = { status: "irreducible"; reason: string }

type Shares = {
  /** Of what is free for messages: the latest steps, and the last of them alone. */
  kept: number
  lastStep: number
  /** Of what is left then: what the user said before, what harness knows, the summary. */
  said: number
  facts: number
  summary: number
}

/** The second try leaves more out. */
const firstShares: Shares = { kept: 0.2, lastStep: 0.45, said: 0.25, facts: 0.15, summary: 0.25 }
const secondShares: Shares = { kept: 0.08, lastStep: 0.2, said: 0.1, facts: 0.1, summary: 0.2 }

/** More is not read any more, however large the window. */
const summaryTokensMost = 4_000
const factsTokensMost = 4_000

/** With less a record holds nothing. */
const leastTokens = 400

export function planOf(
  messages: readonly Message[],
  context: {
    attempt: number
    facts: Facts
    known: readonly KnownFile[]
    window: ContextWindow
    size: WindowSize
  },
): Plan | Irreducible {
  const { attempt, facts, known, window, size } = context
  const shares = attempt === 1 ? firstShares : secondShares
  const targetTokens = attempt === 1 ? size.full : size.room
  // All that follows is counted in our own tokens; the provider's may be more.
  const free = (targetTokens - window.fixedTokens()) / window.scale()

  const wanted = divided(messages, facts, { free, ...shares })
  // Steps stay where there is room beside what must.
  const { from, kept, saidBefore, workedOn, must, rest } =
    wanted.rest >= leastTokens ? wanted : divided(messages, facts, { free, kept: 0, lastStep: 0 })
  if (from === 0 || rest < leastTokens) {
    const needed = window.fixedTokens() + Math.ceil(must * window.scale())
    return { status: "irreducible", reason: irreducible(needed, targetTokens) }
  }

  return {
    status: "planned",
    older: messages.slice(0, from),
    kept,
    said: saidWithin(saidBefore, { limitTokens: rest * shares.said, must: workedOn }),
    facts: factLines(facts, {
      known,
      limitTokens: Math.min(rest * shares.facts, factsTokensMost),
    }),
    summaryTokens: Math.floor(Math.min(rest * shares.summary, summaryTokensMost)),
    targetTokens,
  }
}

/** What is summarised and what stays, and what is left for a record beside what must be in it. */
function divided(
  messages: readonly Message[],
  facts: Facts,
  { free, kept: keptShare, lastStep }: { free: number } & Pick<Shares, "kept" | "lastStep">,
) {
  const from = keptFrom(messages, {
    limitTokens: free * keptShare,
    lastStepTokens: free * lastStep,
    hasRecord: facts.hasRecord,
  })
  const kept = messages.slice(from)
  const saidInKept = kept.filter(({ role }) => role === "user").length
  const saidBefore = facts.said.slice(0, facts.said.length - saidInKept)
  const workedOn = Math.max(0, facts.saidInTurn - saidInKept)
  const must = tokensOfAll(kept) + mustTokens(saidBefore.slice(saidBefore.length - workedOn))
  return { from, kept, saidBefore, workedOn, must, rest: free - must }
}

function irreducible(needed: number, room: number): string {
  return `what cannot be left out (the task, the instructions and the tools) takes about ${needed} tokens, and there is room for ${room}`
}
