import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Price } from "@harness/protocol"
import { isFailure } from "@harness/protocol"
import type { ModelEvent, ModelRequest, Provider } from "@harness/sdk"
import { eventsOf } from "./events.ts"
import { promptConverter, toolConverter } from "./prompt.ts"
import { providerFailure } from "./provider-failure.ts"

export type ProviderOfOptions = {
  /** The provider's name: state that a model wants back is handed only to the same provider. */
  provider: string
  price?: Price
  contextTokens?: number
  /** The variable that holds the key, and the one that holds the base URL: named in next steps. */
  keyVariable?: string
  urlVariable?: string
  /** Texts that must not appear in a failure, whatever the server echoes: keys, header values. */
  secrets?: readonly string[]
}

/**
 * Makes a provider of any model behind the LanguageModelV4 interface.
 *
 * A reply counts only when a finish came and no error did; all else is thrown as `provider_failed`.
 * Nothing is asked twice. Messages are converted once and remembered by identity, so a message must
 * not be changed after it was sent.
 *
 * @example
 * providerOf(createOpenAICompatible({ name: "openai-compatible", baseURL })(model), {
 *   provider: "openai-compatible",
 *   keyVariable: "OPENAI_API_KEY",
 * })
 */
export function providerOf(model: LanguageModelV4, options: ProviderOfOptions): Provider {
  const { provider, price, contextTokens } = options
  const toPrompt = promptConverter(provider)
  const toTools = toolConverter()

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted()

    try {
      const result = await model.doStream({
        prompt: toPrompt(request),
        tools: toTools(request.tools),
        abortSignal: signal,
        ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      })
      yield* eventsOf(result.stream, { provider, signal })
    } catch (error) {
      // The library reports an abort as a failed call, so the signal is asked first.
      signal.throwIfAborted()
      if (isFailure(error)) throw error
      throw providerFailure(error, { ...options, model: request.model })
    }
  }

  return {
    stream,
    ...(price !== undefined && { price }),
    ...(contextTokens !== undefined && { contextTokens }),
  }
}
