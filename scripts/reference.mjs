// Writes docs/reference/ from the schemas, the catalogue of failures and the command line's own
// definition. Run with the Node of the toolchain: pnpm reference
import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pages, referenceFolder, root, schemas } from "./reference/pages.mjs"

const written = [
  ...pages().map(({ name, text }) => ({ name, text })),
  ...schemas().map(({ name, schema }) => ({ name, text: `${JSON.stringify(schema, null, 2)}\n` })),
]

await mkdir(referenceFolder, { recursive: true })
for (const { name, text } of written) await writeFile(join(referenceFolder, name), text)

const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome")
execFileSync(process.execPath, [biome, "format", "--write", referenceFolder], { stdio: "inherit" })
