import { hash } from "node:crypto"
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider"
import type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  JsonObject,
  Message,
  ResultPart,
  ToolDefinition,
  ToolMessage,
  UserMessage,
} from "@harness/protocol"
import type { ModelRequest } from "@harness/sdk"
import { optionsFrom } from "./provider-state.ts"

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>
type Content<Role extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { role: Role }
>["content"][number]

/**
 * Returns a function from canonical messages to a prompt. A message is converted once and the same
 * object is returned from then on: an equal prefix gives equal bytes, and a step costs what it adds.
 * Ids of calls that `callIds` does not allow, as other providers give them, are replaced by hashes.
 */
export function promptConverter(
  provider: string,
  callIds?: RegExp,
): (request: Pick<ModelRequest, "instructions" | "messages">) => LanguageModelV4Prompt {
  const converted = new WeakMap<Message, LanguageModelV4Message>()
  const idFor = (id: string) => (callIds === undefined || callIds.test(id) ? id : hashedId(id))

  const convert = (message: Message): LanguageModelV4Message => {
    const known = converted.get(message)
    if (known !== undefined) return known

    const fresh = convertMessage(message, { provider, idFor })
    converted.set(message, fresh)
    return fresh
  }

  return ({ instructions, messages }) => [
    { role: "system", content: instructions },
    // An assistant message of nothing but another provider's reasoning is empty here: no provider
    // takes an empty message.
    ...messages.map(convert).filter(message => message.content.length > 0),
  ]
}

/** Returns a function from our tool definitions to the library's, remembered by identity. */
export function toolConverter(): (tools: readonly ToolDefinition[]) => Tools {
  const converted = new WeakMap<readonly ToolDefinition[], Tools>()

  return tools => {
    const known = converted.get(tools)
    if (known !== undefined) return known

    const fresh: Tools = tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    }))
    converted.set(tools, fresh)
    return fresh
  }
}

type Target = { provider: string; idFor: (id: string) => string }

function convertMessage(message: Message, target: Target): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: userContent(message) }
    case "assistant":
      return { role: "assistant", content: assistantContent(message, target) }
    case "tool":
      return { role: "tool", content: toolContent(message, target) }
  }
}

function userContent(message: UserMessage): Content<"user">[] {
  return message.content.map(part => ({
    type: "text",
    text: part.type === "text" ? part.text : imageNote(part),
  }))
}

function assistantContent(
  message: AssistantMessage,
  { provider, idFor }: Target,
): Content<"assistant">[] {
  return message.content
    .filter(part => part.type !== "reasoning" || part.provider_state?.provider === provider)
    .map(part => ({ ...assistantPart(part, idFor), ...optionsFrom(part.provider_state, provider) }))
}

function assistantPart(part: AssistantPart, idFor: Target["idFor"]): Content<"assistant"> {
  if (part.type !== "call") return { type: part.type, text: part.text }
  return {
    type: "tool-call",
    toolCallId: idFor(part.id),
    toolName: part.tool,
    input: callInput(part.arguments),
  }
}

/**
 * Arguments as an object, which is all that every provider takes: servers refuse the whole
 * conversation for one call whose arguments are not. Malformed ones go back under a name that says
 * what they are, so that the model sees its own words.
 */
function callInput(text: string): JsonObject {
  if (text.trim() === "") return {}

  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Told to the model below; the kernel answers the call with what is wrong with it.
  }
  return { malformed_arguments: text }
}

/** The same for a call and its result, and another one for another id. */
function hashedId(id: string): string {
  return `call_${hash("sha256", id).slice(0, 24)}`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function toolContent(message: ToolMessage, { idFor }: Target): Content<"tool">[] {
  return message.content.map(result => ({
    type: "tool-result",
    toolCallId: idFor(result.call_id),
    toolName: result.tool,
    output: { type: result.status === "ok" ? "text" : "error-text", value: resultText(result) },
  }))
}

function resultText({ text, images = [] }: ResultPart): string {
  return [text, ...images.map(imageNote)].join("\n")
}

/** A request names an image by its hash alone: the model is told the truth, that it sees none. */
function imageNote(image: ImagePart): string {
  return `[an image (${image.media_type}) that cannot be shown to this model]`
}
