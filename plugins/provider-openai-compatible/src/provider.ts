import { defineProvider } from "@harness/sdk"
import { settingsOf } from "./settings.ts"
import { convertUsage } from "./usage.ts"

const name = "openai-compatible"

/**
 * Any server that speaks the OpenAI chat completions API: Ollama (`/v1`), vLLM, LM Studio,
 * llama.cpp, OpenRouter, OpenAI itself.
 *
 * Where it is: OPENAI_BASE_URL, else `providers.openai-compatible.base_url` in config.jsonc, else
 * OpenAI's own. OPENAI_API_KEY holds the key; a server on this machine (localhost, 127.0.0.1, ::1)
 * needs none. HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold for others.
 */
export const openAICompatible = defineProvider({
  name,

  async create({ model, env, config }) {
    // Checked first: a missing key must not wait for the library to load.
    const settings = settingsOf({ env, config })
    const [{ createOpenAICompatible }, { httpFetch, providerOf }] = await Promise.all([
      import("@ai-sdk/openai-compatible"),
      import("@harness/models"),
    ])

    const server = createOpenAICompatible({
      name,
      baseURL: settings.baseUrl,
      headers: settings.headers,
      includeUsage: true,
      convertUsage,
      // A server on this machine is asked directly, whatever the proxy.
      fetch: httpFetch({ env: settings.loopback ? {} : env, baseUrl: settings.baseUrl }),
      ...(settings.key !== undefined && { apiKey: settings.key }),
    })

    return providerOf(server(model), {
      provider: name,
      keyVariable: "OPENAI_API_KEY",
      urlVariable: "OPENAI_BASE_URL",
      secrets: settings.secrets,
      // Many servers refuse a result that is more than text.
      resultImages: "after",
      prepare: (call, { cacheKey }) =>
        settings.sendsCacheKey && cacheKey !== undefined ? withCacheKey(call, cacheKey) : call,
      retry: { withinSeconds: settings.retrySeconds },
    })
  },
})
