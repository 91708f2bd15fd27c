import type { ModelCall } from "@harness/models"
import { defineProvider } from "@harness/sdk"
import { placeOf, settingsOf, vendor } from "./settings.ts"
import { convertUsage } from "./usage.ts"

/**
 * Any server that speaks the OpenAI chat completions API: Ollama (`/v1`), vLLM, LM Studio,
 * llama.cpp, OpenRouter, OpenAI itself.
 *
 * Where it is: OPENAI_BASE_URL, else `providers.openai-compatible.base_url` in config.jsonc, else
 * OpenAI's own. OPENAI_API_KEY holds the key; a server on this machine (localhost, 127.0.0.1, ::1)
 * needs none. HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold for others.
 */
export const openAICompatible = defineProvider({
  name: vendor.provider,
  keyVariables: vendor.keyVariables,

  async create({ model, ...options }) {
    // Checked first: a missing key must not wait for the library to load.
    const settings = settingsOf(options)
    const [{ createOpenAICompatible }, { httpFetch, providerOf }, figures] = await Promise.all([
      import("@ai-sdk/openai-compatible"),
      import("@harness/models"),
      catalogue().then(({ figuresOf }) => figuresOf(model, { baseUrl: settings.baseUrl })),
    ])

    const server = createOpenAICompatible({
      name: vendor.provider,
      baseURL: settings.baseUrl,
      headers: settings.headers,
      includeUsage: true,
      convertUsage,
      fetch: httpFetch({ env: options.env, baseUrl: settings.baseUrl }),
      ...(settings.key !== undefined && { apiKey: settings.key }),
    })

    return providerOf(server(model), {
      provider: vendor.provider,
      figures,
      refusedHint: settings.refusedHint,
      urlVariable: vendor.urlVariable,
      secrets: settings.secrets,
      retry: { withinSeconds: settings.retrySeconds },
      // Many servers refuse a result that is more than text.
      resultImages: "after",
      prepare: (call, { cacheKey }) =>
        settings.sendsCacheKey && cacheKey !== undefined ? withCacheKey(call, cacheKey) : call,
    })
  },

  async models(options) {
    const { baseUrl, loopback } = placeOf(options)
    const { listedModels } = await catalogue()
    const listed = await listedModels(vendor.provider, { baseUrl })
    if (listed !== null) return listed

    const { localModels, unlisted } = await import("./local-models.ts")
    if (!loopback) throw unlisted(baseUrl, "no catalogue has it, and it is not on this machine")
    const { httpFetch } = await import("@harness/models")
    const { headers, key } = settingsOf(options)
    const fetch = httpFetch({ env: options.env, baseUrl })
    return localModels({ provider: vendor.provider, baseUrl, headers, key, fetch })
  },
})

/** Loaded with a model, while the library loads. */
function catalogue() {
  return import("@harness/models/catalogue")
}

/** The library sends on what it does not know itself. */
function withCacheKey(call: ModelCall, cacheKey: string): ModelCall {
  return { ...call, providerOptions: { openaiCompatible: { prompt_cache_key: cacheKey } } }
}
