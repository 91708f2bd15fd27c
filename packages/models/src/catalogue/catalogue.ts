import type { ImageInput } from "@harness/sdk"
import type { CatalogueModel } from "./file.ts"
import { baseNameOf, nearMissOf } from "./names.ts"
import { dataOf, type ServerName } from "./servers.ts"

/** The models of one server, as they were when the catalogue was made. */
export interface Catalogue {
  /** `2026-11-20`. */
  readonly generatedAt: string
  /** Of the models that take images. */
  readonly images: ImageInput
  /**
   * A model by its name. A dated name (`claude-sonnet-5-20260101`), or one that ends in `-latest`, is the
   * model without that when it is not there itself; of another name that is not there nothing is
   * known.
   */
  find(name: string): CatalogueModel | undefined
  /** The name that was likely meant by one that is not there. */
  nearMiss(name: string): string | undefined
  /** All of them, by name. */
  all(): [name: string, CatalogueModel][]
}

/** Loads a server's data. */
export async function loadCatalogue(server: ServerName): Promise<Catalogue> {
  const { generated_at: generatedAt, images, models } = await dataOf(server)

  function find(name: string): CatalogueModel | undefined {
    const known = [name, baseNameOf(name)].find(each => Object.hasOwn(models, each))
    return known === undefined ? undefined : models[known]
  }

  return {
    generatedAt,
    images: {
      mediaTypes: images.media_types,
      longestSidePixels: images.longest_side_pixels,
      limitBytes: images.limit_bytes,
    },
    find,
    nearMiss: name => nearMissOf(name, Object.keys(models)),
    all: () => Object.entries(models),
  }
}
