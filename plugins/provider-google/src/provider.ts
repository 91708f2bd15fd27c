import { defineProvider } from "@harness/sdk"
import { placeOf, settingsOf, vendor } from "./settings.ts"

/**
 * Google's Gemini models over the Gemini API. The signatures of their thoughts go back unchanged.
 *
 * GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY holds the key. The server is at
 * GOOGLE_GENERATIVE_AI_BASE_URL, else at `providers.google.base_url` in config.jsonc, else Google's
 * own. HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold for servers that are not on this machine.
 */
export const google = defineProvider({
  name: vendor.provider,
  keyVariables: vendor.keyVariables,

  async create({ model, ...options }) {
    // Checked first: a missing key must not wait for the library to load.
    const settings = settingsOf(options)
    const [{ createGoogle }, { httpFetch, providerOf }, figures] = await Promise.all([
      import("@ai-sdk/google"),
      import("@harness/models"),
      catalogue().then(({ figuresOf }) =>
        figuresOf(model, { baseUrl: settings.baseUrl, vendor: "google" }),
      ),
    ])

    const { effort } = settings.config
    const server = createGoogle({
      baseURL: settings.baseUrl,
      // Without one the library looks into the process's own environment.
      apiKey: settings.key ?? "none",
      headers: settings.headers,
      fetch: httpFetch({ env: options.env, baseUrl: settings.baseUrl }),
    })

    return providerOf(server(model), {
      provider: vendor.provider,
      figures,
      refusedHint: settings.refusedHint,
      urlVariable: vendor.urlVariable,
      secrets: settings.secrets,
      retry: { withinSeconds: settings.retrySeconds },
      prepare: call => ({
        ...call,
        ...(showsThoughts.test(model) && { providerOptions: { google: thoughtsShown } }),
        ...(effort !== undefined && { reasoning: effort }),
      }),
    })
  },

  async models(options) {
    const { listedModels } = await catalogue()
    const { baseUrl } = placeOf(options)
    return (await listedModels(vendor.provider, { baseUrl, vendor: "google" })) ?? []
  },
})

/** Loaded with a model, while the library loads. */
function catalogue() {
  return import("@harness/models/catalogue")
}

/** A summary of the thoughts comes only on demand, and models that do not think refuse the demand. */
const showsThoughts = /^gemini-(?:2\.5|[3-9])/
const thoughtsShown = { thinkingConfig: { includeThoughts: true } }
