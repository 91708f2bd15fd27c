import type { Message, ToolDefinition } from "@harness/protocol"
import type { Facts } from "./facts.ts"
import type { Plan } from "./plan.ts"
import { summariserInstructions, summaryRequest } from "./texts.ts"
import { bytesPerToken, tokensOfAll, tokensOfText } from "./tokens.ts"
import { transcriptOf } from "./transcript.ts"
import type { ContextWindow, WindowSize } from "./window.ts"

/** The request for a summary. */
export type SummaryAsked = {
  instructions: string
  tools: readonly ToolDefinition[]
  messages: readonly Message[]
  /** It has instructions of its own. */
  apart: boolean
  /** What it holds, as estimated. */
  inputTokens: number
}

/** About how many words a token is: fewer are asked for than fit, since nobody counts well. */
const wordsPerToken = 0.5

/** A summary of a conversation is worth its input from here on. */
const leastTokens = 300

function requestFor(tokens: number): string {
  return summaryRequest({ words: Math.floor(tokens * wordsPerToken) })
}

/** Beside its words a summary may take thought. */
const outputFactor = 1.5

/**
 * The first time the conversation goes out as it did before, which is what providers keep, with the
 * request for a summary after it. Where that does not fit, and the second time, the older part goes out
 * as one text that is cut to what fits.
 */
export function summaryAsked(
  messages: readonly Message[],
  context: {
    plan: Plan
    facts: Facts
    attempt: number
    style: { instructions: string; tools: readonly ToolDefinition[] }
    window: ContextWindow
    size: WindowSize
  },
): SummaryAsked {
  const { plan, facts, attempt, style, window, size } = context
  const { summaryTokens } = plan
  const request = requestFor(summaryTokens)
  const addedTokens = tokensOfText(request) * window.scale()
  const inputTokens = Math.ceil(window.estimate(messages) + addedTokens)
  const fitting = Math.min(summaryTokens, (size.whole - inputTokens) / outputFactor)
  if (attempt === 1 && fitting >= Math.min(leastTokens, summaryTokens)) {
    const { instructions, tools } = style
    const asked = withRequest(messages, requestFor(fitting))
    return { instructions, tools, messages: asked, apart: false, inputTokens }
  }

  const outputTokens = summaryTokens * outputFactor
  const around = tokensOfText(summariserInstructions) + tokensOfText(request)
  const roomTokens = Math.min(size.room, size.whole - outputTokens) / window.scale() - around
  const text = transcriptOf(plan.older, {
    limitBytes: Math.max(0, Math.floor(roomTokens * bytesPerToken * safety)),
    outputsOfCall: facts.outputsOfCall,
  })
  const asked: Message[] = [userMessage(text, request)]
  const tokens = tokensOfText(summariserInstructions) + tokensOfAll(asked)
  return {
    instructions: summariserInstructions,
    tools: [],
    messages: asked,
    apart: true,
    inputTokens: Math.ceil(tokens * window.scale()),
  }
}

/** Another one that does not fit would be the last. */
const safety = 0.9

/** What the user said last and the request are one message: some models want the roles in turn. */
function withRequest(messages: readonly Message[], request: string): Message[] {
  const last = messages.at(-1)
  if (last?.role !== "user") return [...messages, userMessage(request)]
  const content = [...last.content, { type: "text" as const, text: request }]
  return [...messages.slice(0, -1), { role: "user", content }]
}

function userMessage(...texts: string[]): Message {
  return { role: "user", content: texts.map(text => ({ type: "text", text })) }
}
