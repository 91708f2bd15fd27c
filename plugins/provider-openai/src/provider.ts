import { defineProvider } from "@harness/sdk"
import { placeOf, settingsOf, vendor } from "./settings.ts"
import { stateless } from "./stateless.ts"

/**
 * OpenAI's models over the Responses API. Nothing is stored at OpenAI: reasoning comes back
 * encrypted and is sent again with the messages.
 *
 * OPENAI_API_KEY holds the key. The server is at OPENAI_BASE_URL, else at
 * `providers.openai.base_url` in config.jsonc, else OpenAI's own. HTTP_PROXY, HTTPS_PROXY and
 * NO_PROXY hold for servers that are not on this machine.
 */
export const openai = defineProvider({
  name: vendor.provider,
  keyVariables: vendor.keyVariables,

  async create({ model, ...options }) {
    // Checked first: a missing key must not wait for the library to load.
    const settings = settingsOf(options)
    const [{ createOpenAI }, { httpFetch, providerOf }, figures] = await Promise.all([
      import("@ai-sdk/openai"),
      import("@harness/models"),
      catalogue().then(({ figuresOf }) =>
        figuresOf(model, { baseUrl: settings.baseUrl, vendor: "openai" }),
      ),
    ])

    const { organization, project } = settings.config
    const server = createOpenAI({
      baseURL: settings.baseUrl,
      // Without one the library looks into the process's own environment.
      apiKey: settings.key ?? "none",
      headers: settings.headers,
      fetch: httpFetch({ env: options.env, baseUrl: settings.baseUrl }),
      ...(organization !== undefined && { organization }),
      ...(project !== undefined && { project }),
    })

    return providerOf(server.responses(model), {
      provider: vendor.provider,
      figures,
      refusedHint: settings.refusedHint,
      urlVariable: vendor.urlVariable,
      secrets: settings.secrets,
      retry: { withinSeconds: settings.retrySeconds },
      callIds: /^.{1,64}$/,
      prepare: (call, { cacheKey }) => stateless(call, settings.config, cacheKey),
    })
  },

  async models(options) {
    const { listedModels } = await catalogue()
    const { baseUrl } = placeOf(options)
    return (await listedModels(vendor.provider, { baseUrl, vendor: "openai" })) ?? []
  },
})

/** Loaded with a model, while the library loads. */
function catalogue() {
  return import("@harness/models/catalogue")
}
