import type { ModelInfo } from "@harness/protocol"
import type { Provider } from "@harness/sdk"
import type { Catalogue } from "./catalogue.ts"
import type { CatalogueModel } from "./file.ts"
import { type ServerName, serverAt } from "./servers.ts"

/** What a provider knows of its model, for {@link Provider}. */
export type ModelFigures = Pick<
  Provider,
  "price" | "contextTokens" | "outputTokens" | "images" | "notice"
>

/** Where a provider's requests go. */
export type AskedServer = {
  baseUrl: string
  /**
   * The vendor whose models they are even at a server that nobody knows: a gateway, a proxy. It keeps
   * their windows, but what it charges for them only the user can say.
   */
  vendor?: ServerName
}

/**
 * What the catalogue knows of a model at a server. Nothing of one that it does not have: new models
 * appear, and an unknown price is not 0. A name that looks misspelt is told.
 *
 * @example
 * const figures = await figuresOf("claude-sonnet-5", { baseUrl, vendor: "anthropic" })
 */
export async function figuresOf(model: string, asked: AskedServer): Promise<ModelFigures> {
  const { server, priced } = sourceOf(asked)
  if (server === undefined) return {}
  const catalogue = await load(server)

  const found = catalogue.find(model)
  if (found === undefined) return misspelt(model, catalogue)
  const { context_tokens: contextTokens, output_tokens: outputTokens, price } = found
  return {
    ...(priced && price !== undefined && { price }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(takesImages(found) && { images: catalogue.images }),
  }
}

/**
 * The models that the catalogue has of a server; null when it does not know the server.
 *
 * @example
 * const known = await listedModels("anthropic", { baseUrl, vendor: "anthropic" })
 */
export async function listedModels(
  provider: string,
  asked: AskedServer,
): Promise<ModelInfo[] | null> {
  const { server, priced } = sourceOf(asked)
  if (server === undefined) return null
  const { generatedAt, all } = await load(server)

  return all().map(([name, model]) => ({
    id: `${provider}/${name}`,
    provider,
    context_tokens: model.context_tokens ?? null,
    output_tokens: model.output_tokens ?? null,
    images: takesImages(model),
    price: (priced && model.price) || null,
    generated_at: generatedAt,
  }))
}

/** What reads the data is loaded only for a server that there are data of. */
async function load(server: ServerName): Promise<Catalogue> {
  const { loadCatalogue } = await import("./catalogue.ts")
  return loadCatalogue(server)
}

function sourceOf({ baseUrl, vendor }: AskedServer) {
  const server = serverAt(baseUrl)
  return { server: server ?? vendor, priced: server !== undefined }
}

function takesImages({ input }: CatalogueModel): boolean {
  return input.includes("image")
}

function misspelt(model: string, { generatedAt, nearMiss }: Catalogue): ModelFigures {
  const meant = nearMiss(model)
  if (meant === undefined) return {}
  const notice = `The catalogue of ${generatedAt} has no model ${model}. Did you mean ${meant}?`
  return { notice }
}
