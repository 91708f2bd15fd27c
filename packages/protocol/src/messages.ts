import * as z from "zod"
import { Json, JsonObject, Sha256 } from "./json.ts"
import { EvidenceLink } from "./receipts.ts"

/**
 * What a provider must get back unchanged with a part (signed reasoning, encrypted thoughts).
 * Opaque to everybody else; dropped when another provider continues the conversation.
 */
export const ProviderState = z.strictObject({ provider: z.string(), value: Json })
export type ProviderState = z.infer<typeof ProviderState>

export const TextPart = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  provider_state: ProviderState.optional(),
})
export type TextPart = z.infer<typeof TextPart>

/** An image by its hash: a model is sent the bytes as they are kept, or told in words that it is there. */
export const ImagePart = z.strictObject({
  type: z.literal("image"),
  evidence: Sha256,
  media_type: z.string(),
  /** Pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  bytes: z.int().positive(),
})
export type ImagePart = z.infer<typeof ImagePart>

export const ReasoningPart = z.strictObject({
  type: z.literal("reasoning"),
  text: z.string(),
  provider_state: ProviderState.optional(),
})
export type ReasoningPart = z.infer<typeof ReasoningPart>

/** A tool call of the model. `arguments` is the text as it came: it may not be valid JSON. */
export const CallPart = z.strictObject({
  type: z.literal("call"),
  id: z.string(),
  tool: z.string(),
  arguments: z.string(),
  provider_state: ProviderState.optional(),
})
export type CallPart = z.infer<typeof CallPart>

/** How one action of a call ended, in short: for the step table and for replay; no model sees it. */
export const ActionOutcome = z.strictObject({
  action: z.string(),
  status: z.string(),
  exit_code: z.int().nullable().optional(),
})
export type ActionOutcome = z.infer<typeof ActionOutcome>

/** The answer to a call. The model is given `text` (and images); the rest is for people and replay. */
export const ResultPart = z.strictObject({
  type: z.literal("result"),
  call_id: z.string(),
  tool: z.string(),
  /** `ok`, or the word that says what happened: `error`, `denied`, `timeout`, `output_limit`, … */
  status: z.string(),
  text: z.string(),
  images: z.array(ImagePart).optional(),
  /** All of it, where `text` is a part: it was too long for the model's window. */
  evidence: EvidenceLink.optional(),
  actions: z.array(ActionOutcome).optional(),
})
export type ResultPart = z.infer<typeof ResultPart>

export const AssistantPart = z.discriminatedUnion("type", [TextPart, ReasoningPart, CallPart])
export type AssistantPart = z.infer<typeof AssistantPart>

export const UserMessage = z.strictObject({
  role: z.literal("user"),
  content: z.array(z.discriminatedUnion("type", [TextPart, ImagePart])),
})
export type UserMessage = z.infer<typeof UserMessage>

export const AssistantMessage = z.strictObject({
  role: z.literal("assistant"),
  content: z.array(AssistantPart),
})
export type AssistantMessage = z.infer<typeof AssistantMessage>

export const ToolMessage = z.strictObject({
  role: z.literal("tool"),
  content: z.array(ResultPart),
})
export type ToolMessage = z.infer<typeof ToolMessage>

/** The canonical message: what the log keeps. A vendor's wire types are made from it, never kept. */
export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage, ToolMessage])
export type Message = z.infer<typeof Message>

/** A tool as the model is offered it: a name, what it does, and the JSON Schema of its arguments. */
export const ToolDefinition = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: JsonObject,
})
export type ToolDefinition = z.infer<typeof ToolDefinition>

/** Tokens of one model request. `null` where the provider did not say. */
export const Usage = z.strictObject({
  /** All of the input, what was read from a cache or written to one included. */
  input_tokens: z.int().nullable(),
  cached_input_tokens: z.int().nullable(),
  /** Left out by providers that do not write to a cache at a price of its own. */
  cache_write_input_tokens: z.int().nullable().optional(),
  output_tokens: z.int().nullable(),
  reasoning_tokens: z.int().nullable(),
})
export type Usage = z.infer<typeof Usage>

/** Why the model stopped. Only `stop` and `tool_calls` are a whole answer. */
export const FinishReason = z.enum(["stop", "tool_calls", "length", "content_filter", "other"])
export type FinishReason = z.infer<typeof FinishReason>
