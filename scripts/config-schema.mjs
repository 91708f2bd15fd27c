// Writes docs/reference/config.schema.json from the zod schema of config.jsonc.
// Run with the Node of the toolchain: node --conditions=@harness/source scripts/config-schema.mjs
import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { configJsonSchema } from "../packages/kernel/src/config/json-schema.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const file = join(root, "docs", "reference", "config.schema.json")

await mkdir(dirname(file), { recursive: true })
await writeFile(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)

const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome")
execFileSync(process.execPath, [biome, "format", "--write", file], { stdio: "inherit" })
