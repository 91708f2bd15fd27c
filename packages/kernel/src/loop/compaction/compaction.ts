import type { DurableEvent, Ending, Message } from "@harness/protocol"
import type { ModelRequest } from "@harness/sdk"
import type { Budget } from "../../budget/budget.ts"
import type { Reply } from "../../provider/collect.ts"
import type { Model } from "../../provider/resolve.ts"
import type { KeptText } from "../fitting-result.ts"
import type { KnownFileTable } from "../known-files.ts"
import type { Overhead } from "../overhead.ts"
import type { Recorder } from "../recorder.ts"
import type { WorkingStyle } from "../styles/style.ts"
import { tryOnce } from "./attempt.ts"
import { overflowOf } from "./overflow.ts"
import { bytesPerToken } from "./tokens.ts"
import { contextWindow, type WindowSize } from "./window.ts"

/** Keeps a conversation within its model's window. */
export interface Compaction {
  /**
   * Before each request: where it would be too much for the window, the older messages are replaced by
   * a record. An ending when that could not be done, or must not. `maxOutputTokens`: the cap that the
   * request carries.
   */
  makeRoom(
    place: Place,
    signal: AbortSignal,
  ): Promise<{ status: "ready"; maxOutputTokens: number | undefined } | Ending>
  /**
   * Between turns, because the user asks for it: as if the window were full with what there is now.
   * An ending when it was interrupted, or the budget is used up.
   */
  compact(place: Place, signal: AbortSignal): Promise<Compacted | Ending>
  /** The request was answered; unless it is empty, the reply is the last message. */
  replied(reply: Pick<Reply, "message" | "usage">): void
  /** The request failed. True when it was too long for the model, so that another one can succeed. */
  refused(error: unknown): boolean
  /** The most bytes that each result of so many calls may show to the model. */
  resultBytes(calls: number): number
}

export type Compacted =
  | { status: "compacted" }
  | { status: "failed"; reason: string }
  | { status: "nothing_to_do" }

export type Place = { turn: number; step: number }

export type CompactionParts = {
  /** The conversation's id. */
  conversation: string
  recorder: Recorder
  model: Model
  style: WorkingStyle
  budget: Budget
  overhead: Overhead
  /** Monotonic milliseconds. */
  now: () => number
  /** The conversation as the next request holds it; a compaction replaces its beginning in place. */
  messages: Message[]
  /** The bytes of the images that messages name; undefined when the model takes none. */
  image?: ModelRequest["image"]
  /** All that is on record. */
  events: () => Promise<readonly DurableEvent[]>
  known: KnownFileTable
  /** `limits.result_bytes`. */
  resultBytes: number
  /** Keeps a text of the user as evidence; null when there is no room. */
  keepText: (text: string) => Promise<KeptText | null>
}

/** Of the window, what one result may take, and what all results of a step may take together. */
const resultShare = 1 / 8
const stepShare = 1 / 4

/** Less of a result tells nothing. */
const leastResultBytes = 400

/** Tries between two answers, in a turn. */
const triesMost = 2

export function createCompaction(parts: CompactionParts): Compaction {
  const { model, style, messages, budget } = parts
  const fixed = style.instructions + JSON.stringify(style.tools)
  const window = contextWindow({ ...model, fixedBytes: Buffer.byteLength(fixed) })
  let tries = 0
  let turn = 0
  let wasRefused = false
  let failed = { reason: "", isFutile: false }

  function isFull(size: WindowSize | undefined): size is WindowSize {
    if (size === undefined) return false
    if (wasRefused) return true
    const tokens = window.estimate(messages)
    // One message alone cannot be made less: it goes out as long as it can fit.
    return tokens > (messages.length === 1 ? size.room : size.full)
  }

  return {
    async makeRoom(place, signal) {
      if (place.turn !== turn) tries = 0
      turn = place.turn
      for (;;) {
        const size = window.size()
        if (!isFull(size)) return ready()
        if (tries >= triesMost) return fitsAsItIs(size) ? ready() : ending(size)

        tries += 1
        const tried = await tryOnce(parts, { ...place, attempt: tries, window, size }, signal)
        // What the user broke off was no try: the turn may go on.
        if (signal.aborted) tries -= 1
        if (tried.status === "ended") return tried.ending
        if (tried.status === "failed") failed = tried
        else wasRefused = false
      }
    },

    async compact(place, signal) {
      const size = window.asIfFull(messages)
      let reason = ""
      for (let attempt = 1; attempt <= triesMost; attempt += 1) {
        const asked = { ...place, attempt, window, size, onDemand: true }
        const tried = await tryOnce(parts, asked, signal)
        if (tried.status === "ended") return tried.ending
        if (tried.status === "compacted") return tried
        if (tried.isFutile) return { status: "nothing_to_do" }
        reason = tried.reason
      }
      return { status: "failed", reason }
    },

    replied({ message, usage }) {
      tries = 0
      wasRefused = false
      const asked = messages.at(-1) === message ? messages.length - 1 : messages.length
      window.replied(messages, { asked, usage })
    },

    refused(error) {
      const overflow = overflowOf(error)
      if (overflow === null) return false
      window.refused(window.estimate(messages), overflow.contextTokens)
      wasRefused = true
      failed = { reason: "the provider refused what was left as too long", isFutile: false }
      return true
    },
    resultBytes,
  }

  function resultBytes(calls: number): number {
    const size = window.size()
    if (size === undefined) return parts.resultBytes
    const share = Math.min(resultShare, stepShare / calls)
    const bytes = Math.floor(size.whole * share * bytesPerToken)
    return Math.min(parts.resultBytes, Math.max(leastResultBytes, bytes))
  }

  function ready() {
    const maxOutputTokens = window.outputCap(window.estimate(messages))
    return { status: "ready" as const, maxOutputTokens }
  }

  /** Nothing can be left out, and the estimate leaves room for a reply. */
  function fitsAsItIs({ room }: WindowSize): boolean {
    return failed.isFutile && !wasRefused && window.estimate(messages) <= room
  }

  function ending({ whole }: WindowSize): Ending {
    const needed = grouped(window.estimate(messages))
    const what = `The conversation does not fit into the model's window of ${grouped(whole)} tokens: the next request takes about ${needed}, and making room failed twice (${failed.reason.replace(/\.$/, "")}).`
    const first =
      "choose a model with a larger window, or say in config.jsonc (models.<provider/model>.context_tokens) that this one has it"
    const message = `${what} ${budget.wayOn({ first })}`
    return { status: "limit_reached", limit: "context", message }
  }
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}
