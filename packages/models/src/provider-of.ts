import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { isFailure } from "@harness/protocol"
import type { ModelEvent, ModelRequest, Provider } from "@harness/sdk"
import { cacheKeyOf } from "./cache-key.ts"
import type { ModelFigures } from "./catalogue/index.ts"
import { eventsOf, type Progress } from "./events.ts"
import { promptConverter, toolConverter } from "./prompt.ts"
import { providerFailure } from "./provider-failure.ts"
import { beginRetries, type RetryOptions } from "./retry.ts"

/** A request in the library's words. */
export type ModelCall = LanguageModelV4CallOptions

export type ProviderOfOptions = {
  /** The provider's name: state that a model wants back is handed only to the same provider. */
  provider: string
  /** What is known of the model: its price, its window, what it takes. */
  figures?: ModelFigures
  /** What to do when the server refuses the key. */
  refusedHint?: string
  /** The variable that holds the base URL: named in next steps. */
  urlVariable?: string
  /** Texts that must not appear in a failure, whatever the server echoes: keys, header values. */
  secrets?: readonly string[]
  /** Without it nothing is asked twice. */
  retry?: RetryOptions
  /** The ids of calls that this provider takes; those of another one that do not fit are replaced. */
  callIds?: RegExp
  /** Where the wire takes the images of a result: inside it (default), or in a user's message after. */
  resultImages?: "inside" | "after"
  /**
   * Adds what this provider wants to a request. It must not change what it is given. `cacheKey` is
   * the same for all requests of a conversation, says nothing about it, and is another one elsewhere.
   */
  prepare?: (call: ModelCall, asked: { cacheKey: string | undefined }) => ModelCall
  /** Which errors inside a stream say nothing about the reply: events of a newer API, for example. */
  harmless?: (error: unknown) => boolean
}

/**
 * Makes a provider of any model behind the LanguageModelV4 interface.
 *
 * A reply counts only when a finish came and no error did; all else is thrown as `provider_failed`.
 * With `retry` a request that failed for a passing reason before any output is made again, and each
 * wait is told. Messages are converted once and remembered by identity, so a message must not be
 * changed after it was sent.
 *
 * @example
 * providerOf(createOpenAICompatible({ name: "openai-compatible", baseURL })(model), {
 *   provider: "openai-compatible",
 *   refusedHint: "Check OPENAI_API_KEY.",
 *   retry: { withinSeconds: 120 },
 * })
 */
export function providerOf(model: LanguageModelV4, options: ProviderOfOptions): Provider {
  const { provider, harmless = () => false } = options
  const { prepare = call => call, retry = { withinSeconds: 0 } } = options
  const { callIds, resultImages } = options
  const toPrompt = promptConverter(provider, { callIds, resultImages })
  const toTools = toolConverter()

  async function* reply(
    request: ModelRequest,
    signal: AbortSignal,
    progress: Progress,
  ): AsyncGenerator<ModelEvent> {
    const call: ModelCall = {
      prompt: await toPrompt(request),
      tools: toTools(request.tools),
      abortSignal: signal,
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    }
    const cacheKey = cacheKeyOf(request.conversation)
    const { stream } = await model.doStream(prepare(call, { cacheKey }))
    yield* eventsOf(stream, { provider, signal, progress, harmless })
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted()
    const retries = beginRetries(retry)

    for (let tries = 1; ; tries += 1) {
      const progress: Progress = { begun: false }
      try {
        yield* reply(request, signal, progress)
        return
      } catch (error) {
        // The library reports an abort as a failed call, so the signal is asked first.
        signal.throwIfAborted()
        if (isFailure(error)) throw error

        const asked = { ...options, model: request.model, tries, nowMs: retries.now() }
        const failed = providerFailure(error, { ...asked, outputBegun: progress.begun })
        const ms = failed.again === null ? null : retries.next(failed.again)
        if (ms === null) throw failed.failure

        const { reason, unbilled } = failed
        yield { type: "waiting", reason, ms, ...(!unbilled && { lost: true }) }
        await retries.wait(ms, signal)
      }
    }
  }

  return { ...options.figures, stream }
}
