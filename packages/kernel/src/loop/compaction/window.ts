import type { Message, Usage } from "@harness/protocol"
import { bytesPerToken, tokensOf } from "./tokens.ts"

/** Of the window, what a reply is to have at least. */
const outputShare = 1 / 8

/** Of what is left beside the reply, how much is full: an estimate errs. */
const fullShare = 0.9

/** Of the window, what an estimate may be wrong by when the output is capped. */
const errorShare = 1 / 50

/** A window that was refused without a number is less than the estimate; how much is not known. */
const refusedShare = 0.8

/** How far a provider's count may be above ours before it is taken for something else. */
const largestScale = 3

/** Tokens of a window. */
export type WindowSize = {
  whole: number
  /** The most that the input may be. */
  room: number
  /** From here on the older part is compacted. */
  full: number
}

/** A model's window, and what of it a request takes: as last reported, and estimated from there. */
export interface ContextWindow {
  /** Undefined while nobody knows it. */
  size(): WindowSize | undefined
  /** A window that these messages fill; never a larger one than the model has. */
  asIfFull(messages: readonly Message[]): WindowSize
  /** What a request with these messages holds, with instructions and tools. */
  estimate(messages: readonly Message[]): number
  /** How many of the provider's tokens one of ours is, as far as it told: 1 to 3. */
  scale(): number
  /** What instructions and tools take. */
  fixedTokens(): number
  /**
   * The cap that a request carries on its output: the user's, and what is left of the window where
   * that is less than a reply can hold. Undefined: none is needed.
   */
  outputCap(inputTokens: number): number | undefined
  /** A request of the first `asked` messages was answered; the reply is the one after them. */
  replied(messages: readonly Message[], answer: { asked: number; usage: Usage }): void
  /** A request of so many tokens was refused as too long; the server may have named the window. */
  refused(estimatedTokens: number, windowTokens: number | null): void
}

export function contextWindow(options: {
  contextTokens: number | undefined
  /** The most that one reply can hold. */
  outputTokens: number | undefined
  /** The user's cap on a reply. */
  maxOutputTokens: number | undefined
  /** Bytes of instructions and tools. */
  fixedBytes: number
}): ContextWindow {
  const { outputTokens, maxOutputTokens } = options
  let whole = options.contextTokens ?? Number.POSITIVE_INFINITY
  let scale = 1
  let reported: { tokens: number; messages: number; last: Message | undefined } | undefined

  // A step costs what it adds: a message is counted once.
  const counted = new WeakMap<Message, number>()

  function count(message: Message): number {
    const known = counted.get(message)
    if (known !== undefined) return known
    const tokens = tokensOf(message)
    counted.set(message, tokens)
    return tokens
  }

  const countAll = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + count(message), 0)
  const scaled = (tokens: number) => Math.ceil(tokens * scale)
  const fixedTokens = () => scaled(options.fixedBytes / bytesPerToken)

  function estimate(messages: readonly Message[]): number {
    if (reported !== undefined && messages[reported.messages - 1] === reported.last) {
      return reported.tokens + scaled(countAll(messages.slice(reported.messages)))
    }
    return fixedTokens() + scaled(countAll(messages))
  }

  function size(): WindowSize | undefined {
    if (!Number.isFinite(whole)) return undefined
    const output = Math.min(outputTokens ?? whole, Math.floor(whole * outputShare))
    const room = whole - output
    return { whole, room, full: Math.floor(room * fullShare) }
  }

  return {
    size,
    asIfFull(messages) {
      const tokens = estimate(messages)
      const room = Math.min(tokens, size()?.room ?? tokens)
      return { whole: size()?.whole ?? room, room, full: Math.floor(room * fullShare) }
    },
    estimate,
    scale: () => scale,
    fixedTokens,

    outputCap(inputTokens) {
      const wanted = maxOutputTokens ?? outputTokens
      if (wanted === undefined || !Number.isFinite(whole)) return maxOutputTokens
      const left = Math.max(1, Math.floor(whole * (1 - errorShare)) - inputTokens)
      return left < wanted ? left : maxOutputTokens
    },

    replied(messages, { asked, usage }) {
      const { input_tokens: input, output_tokens: output } = usage
      if (input === null) return
      const inOurs = options.fixedBytes / bytesPerToken + countAll(messages.slice(0, asked))
      scale = Math.min(largestScale, Math.max(1, input / inOurs))

      const reply = output ?? scaled(countAll(messages.slice(asked)))
      const last = messages.at(-1)
      reported = { tokens: input + reply, messages: messages.length, last }
    },

    refused(estimatedTokens, windowTokens) {
      if (windowTokens === null) {
        whole = Math.min(whole, Math.max(1, Math.floor(estimatedTokens * refusedShare)))
        return
      }
      whole = Math.min(whole, windowTokens)
      if (estimatedTokens > windowTokens) return
      // It was more than we thought: so is the rest, until a reply tells how much.
      scale = Math.min(largestScale, (scale * windowTokens) / (estimatedTokens * refusedShare))
      reported = undefined
    },
  }
}
