import { type Config, failure, type Price } from "@harness/protocol"
import type { ImageInput, Provider, ProviderDefinition } from "@harness/sdk"
import { environmentFor, type KeyContext } from "../keys/provider-key.ts"
import type { Registry } from "../registry/registry.ts"
import { modelNameOf } from "./name.ts"
import { atItsLine, type LineOf } from "./refusal.ts"

/** A model ready to be asked. */
export type Model = {
  provider: Provider
  /** The provider's name. */
  providerName: string
  /** The model's name at the provider. */
  name: string
  /** `provider/model`, as the log keeps it. */
  id: string
  /** From the configuration, else from the provider; undefined when nobody knows it. */
  price: Price | undefined
  /** The window of one request; undefined when nobody knows it. */
  contextTokens: number | undefined
  /** The most that one reply can hold; undefined when nobody knows it. */
  outputTokens: number | undefined
  /**
   * The cap that the user sets on a reply. Without one a request carries none: servers count it
   * against rate limits and credit, and some refuse it.
   */
  maxOutputTokens: number | undefined
  /** What images it takes; undefined for none. */
  images: ImageInput | undefined
  /** What people are told once at the start. */
  notices: readonly string[]
}

export type ModelContext = KeyContext & {
  registry: Registry
  config: Config
  lineOf: LineOf
}

/**
 * Finds the provider of `provider/model` and makes it ready. A name without a provider is the one
 * provider's that claims it. No request is made.
 * Throws `model_missing`, `model_unknown`, `key_missing`, `key_locked`, `keys_unusable`, `config_invalid`,
 * `package_broken`.
 */
export async function resolveModel(id: string | undefined, context: ModelContext): Promise<Model> {
  const { registry, config, lineOf } = context
  if (id === undefined || id === "") throw failure("model_missing", {})
  const known = registry.names("provider").join(", ") || "none"
  const found = modelNameOf(id, registry)
  if (found.status === "unclear") {
    throw failure("model_unknown", { model: id, reason: found.reason, known })
  }
  const { providerName, name } = found
  if (!registry.names("provider").includes(providerName)) {
    throw failure("model_unknown", {
      model: id,
      reason: `no provider ${providerName} is installed`,
      known,
    })
  }

  const definition = await registry.load("provider", providerName)
  const options = config.providers[providerName] ?? {}
  const given = await environmentOf(definition, context)
  const provider = await definition
    .create({ model: name, ...given, config: options })
    .catch((error: unknown) => {
      throw atItsLine(error, providerName, lineOf)
    })
  const figures = config.models[`${providerName}/${name}`] ?? {}
  const price = figures.price ?? provider.price
  const shownName = `${providerName}/${provider.modelName ?? name}`
  return {
    provider,
    providerName,
    name,
    id: shownName,
    price,
    contextTokens: figures.context_tokens ?? provider.contextTokens,
    outputTokens: figures.output_tokens ?? provider.outputTokens,
    maxOutputTokens: figures.output_tokens,
    images: imagesOf(figures.images, provider),
    notices: [
      ...(provider.notice === undefined ? [] : [provider.notice]),
      ...(price === undefined && config.limits.max_cost !== null ? [unpriced(shownName)] : []),
    ],
  }
}

/** What the user says goes first; of a model that takes images by that word alone, nobody knows more. */
function imagesOf(configured: boolean | undefined, { images }: Provider): ImageInput | undefined {
  if (configured === false) return undefined
  return images ?? (configured ? usualImages : undefined)
}

/** What every vendor takes without scaling it down itself; 5 MiB in base64. */
export const usualImages: ImageInput = {
  mediaTypes: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  longestSidePixels: 1_568,
  limitBytes: 3_932_160,
}

/** Where `allow_unknown_price` lets it begin at all. */
function unpriced(model: string): string {
  return `Nobody knows what ${model} costs: the cost limit does not bound it.`
}

/** A package of a project finds no stored key: its owner stored it for another one of that name. */
async function environmentOf(definition: ProviderDefinition, context: ModelContext) {
  const found = context.registry.find("provider", definition.name)
  return found?.source.within === undefined
    ? environmentFor(definition, context)
    : { env: context.env }
}
