import type { Message } from "@harness/protocol"
import { imagesIn, imageTokens } from "../../images/tokens.ts"

/** About how many bytes of text a token holds: code and JSON have fewer than prose. */
export const bytesPerToken = 3.2

/** Names, roles and marks around a part. */
const partBytes = 16

/** About how many tokens a text is. */
export function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** About how many tokens a message is to its model; what people alone are shown does not count. */
export function tokensOf(message: Message): number {
  let bytes = 0
  for (const part of message.content) {
    bytes += partBytes
    switch (part.type) {
      case "text":
        bytes += Buffer.byteLength(part.text)
        break
      case "reasoning":
        bytes += Math.max(Buffer.byteLength(part.text), stateBytes(part.provider_state))
        break
      case "call":
        bytes += Buffer.byteLength(part.tool) + Buffer.byteLength(part.arguments)
        break
      case "result":
        bytes += Buffer.byteLength(part.text)
        break
    }
  }
  const images = imagesIn(message).reduce((sum, image) => sum + imageTokens(image), 0)
  return Math.ceil(bytes / bytesPerToken) + images
}

export function tokensOfAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0)
}

/** Encrypted reasoning has no text of its own. */
function stateBytes(state: object | undefined): number {
  return state === undefined ? 0 : Buffer.byteLength(JSON.stringify(state))
}
