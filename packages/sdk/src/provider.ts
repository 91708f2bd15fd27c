import type {
  AssistantPart,
  FinishReason,
  Json,
  Message,
  ModelInfo,
  Price,
  ToolDefinition,
  Usage,
} from "@harness/protocol"
import { type Definition, define } from "./brand.ts"

/** One model request, in canonical words. */
export type ModelRequest = {
  /** The model's name at the provider, without the provider's. */
  model: string
  /** The system text. */
  instructions: string
  tools: readonly ToolDefinition[]
  messages: readonly Message[]
  /** A cap on the output, when the budget sets one. */
  maxOutputTokens?: number
  /** The conversation that asks, for providers that keep its prefix by a key. */
  conversation?: string
  /**
   * The bytes of an image that a message names; null when they are not kept any more. Without it no
   * image can be shown: the model is told so in its place.
   */
  image?: (evidence: string) => Promise<Uint8Array | null>
}

/** What a model's stream yields. `part`s are complete and in the order of the message. */
export type ModelEvent =
  | { type: "delta"; of: "text" | "reasoning"; text: string }
  | { type: "delta"; of: "call"; id: string; tool: string; text: string }
  | { type: "part"; part: AssistantPart }
  /**
   * Nothing has come yet, and the request is made again after so many milliseconds. `lost`: it was
   * sent and not refused, so that it may have been billed although no answer came.
   */
  | { type: "waiting"; reason: string; ms: number; lost?: boolean }
  /** The last event of a stream that succeeded. */
  | { type: "finish"; reason: FinishReason; usage: Usage; cost?: number }

/**
 * A model behind one interface.
 *
 * `stream` yields events and ends with `finish`. Anything else is a failure and is thrown as
 * `provider_failed`: a refused request, a cut stream, an error part, a missing finish. When `signal`
 * is aborted it throws the signal's reason. It may repeat a request that failed before any output came,
 * and says so by `waiting`; it never repeats one by itself after output began.
 */
export interface Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** What the provider knows of the model; the user's config goes before it. */
  readonly price?: Price
  /** The window: input and output of one request together. */
  readonly contextTokens?: number
  /** The most that one reply can hold. */
  readonly outputTokens?: number
  /** What images the model takes; undefined when it takes none, or nobody knows. */
  readonly images?: ImageInput
  /** What people and the log are told in the place of the model's name, when that is a path. */
  readonly modelName?: string
  /** Shown once at the start: for example that recorded messages are replayed. */
  readonly notice?: string
}

/** What a model takes for an image; a larger one is scaled down before it enters the history. */
export type ImageInput = {
  /** `image/png`, `image/jpeg`, … */
  mediaTypes: readonly string[]
  longestSidePixels: number
  /** Of the file, before base64. */
  limitBytes: number
}

export type ProviderOptions = {
  /** The part of `provider/model` after the first slash; may hold slashes. */
  model: string
  /** The environment's variables: keys and base URLs are read here and kept out of everything else. */
  env: Readonly<Record<string, string | undefined>>
  /** `providers.<name>` of the configuration, not yet validated. */
  config: Readonly<Record<string, Json>>
  /** True: the key in `env` is one that `harness login` stored; a failure names that as the next step. */
  keyStored?: boolean
}

export interface ProviderBody {
  readonly name: string
  /**
   * Makes the provider of one model. Called once per conversation, before the first request.
   * Throws `key_missing`, `model_unknown` or `config_invalid`; makes no request.
   */
  create(options: ProviderOptions): Promise<Provider>
  /**
   * The variables that may hold its key, the first one that is set counts. A key that `harness login`
   * stored is given to `create` under the first name when none of them is set.
   */
  readonly keyVariables?: readonly string[]
  /**
   * The models it knows of, with what it knows of each. A key is not needed: nobody is asked but a
   * server on this machine. Throws a failure whose message says why it cannot tell; others are
   * listed all the same.
   */
  models?(options: Omit<ProviderOptions, "model">): Promise<readonly ModelInfo[]>
}

export type ProviderDefinition = ProviderBody & Definition<"provider">

/** Defines a provider; its name is what stands before the slash in `HARNESS_MODEL`. */
export function defineProvider(body: ProviderBody): ProviderDefinition {
  return define("provider", body)
}
