import { hash } from "node:crypto"
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
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
import { filePart, imageNote, imagesIn, imagesShown, type Unseen } from "./images.ts"
import { optionsFrom } from "./provider-state.ts"

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>
type Content<Role extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { role: Role }
>["content"][number]

export type PromptOptions = {
  /** The ids of calls that the provider takes; others are replaced by hashes. */
  callIds?: RegExp | undefined
  /**
   * Where its wire has room for the images of a result: inside it, or in a message of the user after
   * the results.
   */
  resultImages?: "inside" | "after" | undefined
}

/**
 * Returns a function from canonical messages to a prompt. A message is converted once and the same
 * object is returned from then on, images in it too: an equal prefix gives equal bytes, and a step
 * costs what it adds. Only when older images leave a request are their messages converted again.
 */
export function promptConverter(
  provider: string,
  { callIds, resultImages = "inside" }: PromptOptions = {},
): (
  request: Pick<ModelRequest, "instructions" | "messages" | "image">,
) => Promise<LanguageModelV4Prompt> {
  const converted = new WeakMap<Message, Converted>()
  const idFor = (id: string) => (callIds === undefined || callIds.test(id) ? id : hashedId(id))
  const target = { provider, idFor, resultImages }

  function known(message: Message, shown: number): LanguageModelV4Message[] | undefined {
    const found = converted.get(message)
    return found?.shown === shown ? found.messages : undefined
  }

  async function convert(message: Message, shown: number, pictures: Pictures) {
    const images = await loadedImages(message, pictures)
    // An assistant message of nothing but another provider's reasoning is empty here: no provider
    // takes an empty message.
    const messages = convertMessage(message, { ...target, images }).filter(
      ({ content }) => content.length > 0,
    )
    converted.set(message, { messages, shown })
    return messages
  }

  return async ({ instructions, messages, image }) => {
    const pictures = { shown: image === undefined ? none : imagesShown(messages), image }
    const prompt: LanguageModelV4Prompt = [{ role: "system", content: instructions }]
    for (const message of messages) {
      const shown = imagesIn(message).filter(each => pictures.shown.has(each)).length
      prompt.push(...(known(message, shown) ?? (await convert(message, shown, pictures))))
    }
    return prompt
  }
}

/** What a message became, and how many of its images are in it: the oldest go first. */
type Converted = { messages: LanguageModelV4Message[]; shown: number }

type Pictures = { shown: ReadonlySet<ImagePart>; image: ModelRequest["image"] }

const none: ReadonlySet<ImagePart> = new Set()

/** Each image of a message as it is sent, or why it is not. */
type LoadedImages = ReadonlyMap<ImagePart, LanguageModelV4FilePart | Unseen>

async function loadedImages(message: Message, { shown, image }: Pictures): Promise<LoadedImages> {
  const loaded = new Map<ImagePart, LanguageModelV4FilePart | Unseen>()
  for (const part of imagesIn(message)) {
    if (image === undefined) loaded.set(part, "blind")
    else if (!shown.has(part)) loaded.set(part, "dropped")
    else {
      const bytes = await image(part.evidence)
      loaded.set(part, bytes === null ? "gone" : filePart(part, bytes))
    }
  }
  return loaded
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

type Target = {
  provider: string
  idFor: (id: string) => string
  resultImages: "inside" | "after"
  images: LoadedImages
}

function convertMessage(message: Message, target: Target): LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content.map(part => userPart(part, target)) }]
    case "assistant":
      return [{ role: "assistant", content: assistantContent(message, target) }]
    case "tool":
      return toolMessages(message, target)
  }
}

function userPart(part: UserMessage["content"][number], { images }: Target): Content<"user"> {
  if (part.type === "text") return { type: "text", text: part.text }
  const image = images.get(part) ?? "gone"
  return typeof image === "object" ? image : { type: "text", text: imageNote(part, image) }
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

function toolMessages(message: ToolMessage, target: Target): LanguageModelV4Message[] {
  const { idFor, resultImages } = target
  const after: Content<"user">[] = []

  const content = message.content.map((result): Content<"tool"> => {
    const { files, notes } = imagesOf(result, target)
    const lines = [result.text, ...notes]
    if (resultImages === "after") {
      for (const file of files) {
        const name = `image ${after.length / 2 + 1}`
        lines.push(`[${name} is shown below]`)
        after.push({ type: "text", text: `[${name}]` }, file)
      }
    }
    return {
      type: "tool-result",
      toolCallId: idFor(result.call_id),
      toolName: result.tool,
      output: outputOf(result, lines.join("\n"), resultImages === "inside" ? files : []),
    }
  })
  const tool: LanguageModelV4Message = { role: "tool", content }
  return after.length === 0 ? [tool] : [tool, { role: "user", content: after }]
}

type ToolOutput = Extract<Content<"tool">, { type: "tool-result" }>["output"]

function outputOf(
  { status }: ResultPart,
  text: string,
  files: readonly LanguageModelV4FilePart[],
): ToolOutput {
  if (files.length === 0) return { type: status === "ok" ? "text" : "error-text", value: text }
  return { type: "content", value: [...(text === "" ? [] : [textPart(text)]), ...files] }
}

function textPart(text: string) {
  return { type: "text" as const, text }
}

function imagesOf({ images: parts = [] }: ResultPart, { images }: Target) {
  const files: LanguageModelV4FilePart[] = []
  const notes: string[] = []
  for (const part of parts) {
    const image = images.get(part) ?? "gone"
    if (typeof image === "object") files.push(image)
    else notes.push(imageNote(part, image))
  }
  return { files, notes }
}
