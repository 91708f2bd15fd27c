import { failure, type ModelInfo } from "@harness/protocol"
import { defineProvider } from "@harness/sdk"

const create = async () => ({
  async *stream() {
    yield { type: "finish" as const, reason: "stop" as const, usage: nothingTold }
  },
  price: { input: 3, output: 15, cached_input: 0.3 },
  contextTokens: 200_000,
  outputTokens: 64_000,
})

const nothingTold = {
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

const large: ModelInfo = {
  id: "listing/large",
  provider: "listing",
  context_tokens: 200_000,
  output_tokens: 64_000,
  images: true,
  price: { input: 3, output: 15, cached_input: 0.3 },
  generated_at: "2026-11-20",
}

/** Lists what it knows, and knows the figures of each. */
export const listing = defineProvider({
  name: "listing",
  create,
  models: async () => [large],
})

/** Says of each model what it is, but not which there are. */
export const silent = defineProvider({ name: "silent", create })

/** Lists what no face could show. */
export const garbled = defineProvider({
  name: "garbled",
  create,
  models: async (): Promise<ModelInfo[]> => JSON.parse('[{ "id": "garbled/one", "provider": 1 }]'),
})

/** Lists what is another one's. */
export const greedy = defineProvider({
  name: "greedy",
  create,
  models: async () => [{ ...large, id: "listing/large" }],
})

/** Never answers. */
export const mute = defineProvider({ name: "mute", create, models: () => new Promise(() => {}) })

/** Cannot say which there are, for its configuration is wrong. */
export const failing = defineProvider({
  name: "failing",
  create,
  async models() {
    const key = "providers.failing.base_url"
    throw failure("config_invalid", { file: "config.jsonc", line: "?", key, reason: "is no URL" })
  },
})
