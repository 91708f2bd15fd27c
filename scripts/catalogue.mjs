// Writes the catalogue of models, packages/models/src/catalogue/data/, from the data of a package that
// collects them. To refresh it raise the version and the integrity below: pnpm catalogue
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CatalogueFile } from "../packages/models/src/catalogue/file.ts"
import { root } from "./bootstrap.mjs"
import { isKept, modelOf } from "./catalogue/model.mjs"
import { imagesOf, servers } from "./catalogue/servers.mjs"
import { installPinned } from "./support/npm.mjs"
import { runScript } from "./support/problem.mjs"

/** @import { SourceModel } from "./catalogue/model.mjs" */

/** Only its data are read: none of its code runs, and nothing of what it depends on is brought. */
const source = {
  name: "@earendil-works/pi-ai",
  version: "1.6.0",
  integrity:
    "sha512-9hL+eygFDEiFp//cydeUfmFsKmEqpmvsNPb10Y1W8+m5K9O+sx1hMStfu6nukrBD5sl6mP4RykCYBBNEgsVLfw==",
}

const written = join(root, "packages", "models", "src", "catalogue", "data")

await runScript(async () => {
  const folder = await mkdtemp(join(tmpdir(), "harness-catalogue-"))
  try {
    const brought = await installPinned(folder, source)
    await write(join(brought, "dist", "providers", "data"))
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** @param {string} folder the source's data */
async function write(folder) {
  const { generatedAt } = await readJson(folder, ".manifest")
  const resold = byId(await modelsIn(folder, "openrouter"))
  await mkdir(written, { recursive: true })

  for (const server of servers) {
    const models = (await modelsIn(folder, server)).map(model =>
      server === "openai" ? withWholeWindow(model, resold.get(`openai/${model.id}`)) : model,
    )
    const file = CatalogueFile.parse({
      generated_at: String(generatedAt).slice(0, 10),
      source: `${source.name}@${source.version}`,
      images: imagesOf(server),
      models: Object.fromEntries([...byId(models)].map(([id, model]) => [id, modelOf(model)])),
    })
    await writeFile(join(written, `${server}.json`), textOf(file))
    process.stdout.write(`${server}: ${Object.keys(file.models).length} models\n`)
  }
}

/**
 * @param {string} folder
 * @param {string} server
 * @returns {Promise<SourceModel[]>}
 */
async function modelsIn(folder, server) {
  /** @type {Record<string, Record<string, SourceModel>>} */
  const byInterface = await readJson(folder, server)
  return Object.values(byInterface).flatMap(Object.values).filter(isKept)
}

/**
 * The source lets a window of OpenAI's end where requests get dearer; a reseller tells the whole one.
 *
 * @param {SourceModel} model
 * @param {SourceModel | undefined} resold
 */
function withWholeWindow(model, resold) {
  const [tier] = model.cost.tiers ?? []
  const isCut = tier !== undefined && model.contextWindow <= tier.inputTokensAbove
  return isCut && resold ? { ...model, contextWindow: resold.contextWindow } : model
}

/** @param {SourceModel[]} models */
function byId(models) {
  const sorted = models.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return new Map(sorted.map(model => [model.id, model]))
}

/**
 * A line for each model, so that a difference shows which ones changed.
 *
 * @param {CatalogueFile} file
 */
function textOf({ models, ...head }) {
  const lines = Object.entries(models).map(
    ([id, model]) => `${JSON.stringify(id)}: ${JSON.stringify(model)}`,
  )
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `{\n${fields.join(",\n")},\n"models": {\n${lines.join(",\n")}\n}\n}\n`
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function readJson(folder, name) {
  return JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"))
}
