import type { UserMessage } from "@harness/protocol"
import { firstBytes } from "../fitting-result.ts"
import { bytesPerToken, tokensOf, tokensOfText } from "./tokens.ts"

type Part = UserMessage["content"][number]

/** A part of what the user said, as the record holds it: whole, or its beginning. */
export type SaidPart =
  | { status: "whole"; part: Part }
  | { status: "short"; text: string; head: string }
  | { status: "left_out" }

/** A beginning of fewer tokens tells nothing. */
const leastHeadTokens = 60

/** What a mark takes that names the whole text. */
const markTokens = 70

/**
 * What the user said, oldest first, as far as it fits into the limit; what was said last goes before.
 * The last `must` messages, which are worked on, have their own words and images in any case.
 */
export function saidWithin(
  messages: readonly UserMessage[],
  options: { limitTokens: number; must: number },
): SaidPart[] {
  let left = options.limitTokens
  const parts = messages.flatMap(({ content }, index) =>
    content.map((part, at) => {
      const isWorkedOn = index >= messages.length - options.must
      return { part, isMust: isWorkedOn && at >= ownFrom(content) }
    }),
  )

  const newestFirst = parts.toReversed().map(({ part, isMust }): SaidPart => {
    const tokens = tokensOfPart(part)
    if (isMust) return { status: "whole", part }
    if (tokens <= left) {
      left -= tokens
      return { status: "whole", part }
    }
    const headTokens = Math.floor((left - markTokens) / 2)
    if (part.type !== "text" || headTokens < leastHeadTokens) return { status: "left_out" }
    left -= headTokens + markTokens
    return { status: "short", text: part.text, head: headOf(part.text, headTokens) }
  })
  return newestFirst.toReversed()
}

/** What the own words of these messages take: nothing can be left out of them. */
export function mustTokens(messages: readonly UserMessage[]): number {
  const parts = messages.flatMap(({ content }) => content.slice(ownFrom(content)))
  return parts.reduce((sum, part) => sum + tokensOfPart(part), 0)
}

/** Before the user's own words stands what came with them: the project's AGENTS.md, what changed. */
function ownFrom(content: readonly Part[]): number {
  const last = content.findLastIndex(({ type }) => type === "text")
  return Math.max(0, last)
}

function tokensOfPart(part: Part): number {
  return part.type === "text"
    ? tokensOfText(part.text)
    : tokensOf({ role: "user", content: [part] })
}

function headOf(text: string, tokens: number): string {
  return firstBytes(Buffer.from(text), Math.floor(tokens * bytesPerToken))
}
