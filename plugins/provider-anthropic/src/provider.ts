import type { ModelCall } from "@harness/models"
import { defineProvider } from "@harness/sdk"
import { withCacheMarks } from "./cache.ts"
import { figuresFor } from "./figures.ts"
import { placeOf, settingsOf, vendor } from "./settings.ts"
import { withThinking } from "./thinking.ts"
import { isUnknownEvent } from "./unknown-event.ts"

/**
 * Anthropic's Claude models over the Messages API, with prompt caching and thinking whose signed
 * blocks go back unchanged.
 *
 * ANTHROPIC_API_KEY holds the key. The server is at ANTHROPIC_BASE_URL, else at
 * `providers.anthropic.base_url` in config.jsonc, else Anthropic's own. HTTP_PROXY, HTTPS_PROXY and
 * NO_PROXY hold for servers that are not on this machine.
 */
export const anthropic = defineProvider({
  name: vendor.provider,
  keyVariables: vendor.keyVariables,

  async create({ model, ...options }) {
    // Checked first: a missing key must not wait for the library to load.
    const settings = settingsOf(options)
    const [{ createAnthropic }, { httpFetch, providerOf }, figures] = await Promise.all([
      import("@ai-sdk/anthropic"),
      import("@harness/models"),
      figuresFor(model, settings),
    ])

    const server = createAnthropic({
      baseURL: settings.baseUrl,
      // Without one the library looks into the process's own environment.
      apiKey: settings.key ?? "none",
      headers: settings.headers,
      fetch: httpFetch({ env: options.env, baseUrl: settings.baseUrl }),
    })

    const most = figures.outputTokens
    return providerOf(server(model), {
      provider: vendor.provider,
      figures,
      refusedHint: settings.refusedHint,
      urlVariable: vendor.urlVariable,
      secrets: settings.secrets,
      retry: { withinSeconds: settings.retrySeconds },
      prepare: call => {
        const whole = withOutputTokens(call, most)
        return withCacheMarks(withThinking(whole, settings.config), settings.config.cache_ttl)
      },
      harmless: isUnknownEvent,
      callIds: /^[a-zA-Z0-9_-]{1,64}$/,
    })
  },

  async models(options) {
    const { listedModels } = await import("@harness/models/catalogue")
    const { baseUrl } = placeOf(options)
    return (await listedModels(vendor.provider, { baseUrl, vendor: "anthropic" })) ?? []
  },
})

/** Anthropic wants a cap with every request, and the library's own for a model that it does not know is low. */
function withOutputTokens(call: ModelCall, most: number | undefined): ModelCall {
  if (call.maxOutputTokens !== undefined || most === undefined) return call
  return { ...call, maxOutputTokens: most }
}
