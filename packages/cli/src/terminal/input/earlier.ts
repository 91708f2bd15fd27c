import type { Kernel } from "@harness/kernel"
import { ask } from "../../ask.ts"
import { saidIn } from "../view/turns.ts"

/** So many conversations are looked through: each is a log that is read. */
const conversationsRead = 5

const mostMessages = 200

/**
 * What the person said in the project's other conversations, the newest last. Nothing is kept for it
 * beside the conversations themselves: what is deleted there is gone here, too.
 */
export async function earlierMessages(
  kernel: Pick<Kernel, "dispatch">,
  { folder, conversation }: { folder: string; conversation: string },
): Promise<string[]> {
  const { conversations } = await ask(kernel, { type: "conversations", folder })
  const others = conversations.filter(({ id, turns }) => id !== conversation && turns > 0)
  const messages: string[] = []
  for (const { id } of others.slice(0, conversationsRead).toReversed()) {
    const { events } = await ask(kernel, { type: "show", conversation: id })
    for (const event of events) {
      const text = event.type === "user_message" ? saidIn(event.message) : undefined
      if (text !== undefined) messages.push(text)
    }
  }
  return messages.slice(-mostMessages)
}
