import type { UserMessage } from "@harness/protocol"

/** A message of nothing but these texts. */
export function textMessage(texts: readonly string[]): UserMessage {
  return { role: "user", content: texts.map(text => ({ type: "text", text })) }
}

/** The message with these texts before what it says. */
export function withTexts(texts: readonly string[], message: UserMessage): UserMessage {
  if (texts.length === 0) return message
  return { role: "user", content: [...textMessage(texts).content, ...message.content] }
}
