import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from "@ai-sdk/provider"
import { Json, type ProviderState } from "@harness/protocol"
import { z } from "@harness/sdk"

const Options = z.record(z.string(), z.record(z.string(), Json))

/** What a part must carry so that its provider gets it back unchanged. */
export function stateOf(
  metadata: SharedV4ProviderMetadata | undefined,
  provider: string,
): ProviderState {
  // Through text: metadata may hold `undefined`, which is not JSON.
  return { provider, value: Json.parse(JSON.parse(JSON.stringify(metadata ?? {}))) }
}

/** The library's form of a state, for the provider that it came from; nothing for any other. */
export function optionsFrom(
  state: ProviderState | undefined,
  provider: string,
): { providerOptions?: SharedV4ProviderOptions } {
  if (state === undefined || state.provider !== provider) return {}

  const { data } = Options.safeParse(state.value)
  if (data === undefined || Object.keys(data).length === 0) return {}
  return { providerOptions: data }
}
