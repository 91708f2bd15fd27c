import { defineProvider } from "@harness/sdk"
import { withCacheMarks } from "./cache.ts"
import { settingsOf, vendor } from "./settings.ts"
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
    const [{ createAnthropic }, { httpFetch, providerOf }] = await Promise.all([
      import("@ai-sdk/anthropic"),
      import("@harness/models"),
    ])

    const server = createAnthropic({
      baseURL: settings.baseUrl,
      // Without one the library looks into the process's own environment.
      apiKey: settings.key ?? "none",
      headers: settings.headers,
      fetch: httpFetch({ env: options.env, baseUrl: settings.baseUrl }),
    })

    return providerOf(server(model), {
      provider: vendor.provider,
      refusedHint: settings.refusedHint,
      urlVariable: vendor.urlVariable,
      secrets: settings.secrets,
      retry: { withinSeconds: settings.retrySeconds },
      prepare: call =>
        withCacheMarks(withThinking(call, settings.config), settings.config.cache_ttl),
      harmless: isUnknownEvent,
      callIds: /^[a-zA-Z0-9_-]{1,64}$/,
    })
  },
})
