import type { Kernel } from "@harness/kernel"
import type { ConversationSummary } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { ageOf, endingInWords } from "../../text/conversations.ts"
import { counted } from "../../text/format.ts"
import { oneLine } from "../../text/width.ts"
import { type Choice, choose, type left, type Prompts } from "./prompts.ts"

/**
 * Lets the person pick one of the folder's project, the newest activity first. `last`, without a
 * question, when there is no choice: then opening it tells what there is.
 */
export async function askConversation(
  kernel: Pick<Kernel, "dispatch">,
  folder: string,
  prompts: Prompts,
): Promise<string | typeof left> {
  const { conversations } = await ask(kernel, { type: "conversations", folder })
  const [first, ...others] = conversations
  if (first === undefined) return "last"
  if (others.length === 0) return first.id
  return choose("Conversation:", conversations.map(choiceOf), prompts)
}

function choiceOf(conversation: ConversationSummary): Choice<string> {
  const { id, short_id, title, active_at, turns, ending, open } = conversation
  const end = open ? "open" : ending === null ? "cut off" : endingInWords(ending)
  const age = ageOf(Date.now() - Date.parse(active_at))
  return {
    value: id,
    label: short_id,
    hint: `${age} ago · ${counted(turns, "turn")} · ${end} · ${oneLine(title)}`,
  }
}
