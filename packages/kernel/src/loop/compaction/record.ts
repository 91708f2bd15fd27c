import type { EvidenceLink, UserMessage } from "@harness/protocol"
import type { KeptText } from "../fitting-result.ts"
import type { SaidPart } from "./said.ts"
import {
  factsFollow,
  goesOn,
  olderLeftOut,
  recordBegins,
  saidFollows,
  summaryFollows,
} from "./texts.ts"

/**
 * The one message that stands for the older part of a conversation: what the user said in parts of
 * its own, the summary of the model, and what harness knows. Texts that are shown in part are kept
 * whole by `keep`, which gives null when there is no room.
 */
export async function recordOf(
  { said, summary, facts }: { said: readonly SaidPart[]; summary: string; facts: string },
  keep: (text: string) => Promise<KeptText | null>,
): Promise<{ message: UserMessage; evidence: EvidenceLink[] }> {
  const evidence: EvidenceLink[] = []
  const content: UserMessage["content"] = []
  let isLeftOut = false

  for (const part of said) {
    if (part.status === "left_out") {
      if (!isLeftOut) content.push({ type: "text", text: olderLeftOut })
    } else if (part.status === "whole") {
      content.push(part.part)
    } else {
      const kept = await keep(part.text)
      if (kept?.link) evidence.push(kept.link)
      const mark = goesOn({ bytes: Buffer.byteLength(part.text), name: kept?.name ?? null })
      content.push({ type: "text", text: `${part.head}\n${mark}` })
    }
    isLeftOut = part.status === "left_out"
  }

  const begins = content.length > 0 ? `${recordBegins}\n\n${saidFollows}` : recordBegins
  const known = facts === "" ? "" : `\n\n${factsFollow}\n${facts}`
  const message: UserMessage = {
    role: "user",
    content: [
      { type: "text", text: begins },
      ...content,
      { type: "text", text: `[harness] ${summaryFollows}\n${summary.trim()}${known}` },
    ],
  }
  return { message, evidence }
}
