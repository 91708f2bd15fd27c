import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { catalogue } from "../../packages/protocol/src/index.ts"
import { pages, referenceFolder, schemas } from "../../scripts/reference/pages.mjs"
import { root } from "./tree.ts"

const read = (file: string) => readFile(join(referenceFolder, file), "utf8")

describe("docs/reference (else: pnpm reference)", () => {
  test("holds the generated pages and schemas and nothing else", async () => {
    const names = [...pages(), ...schemas()].map(({ name }) => name)

    expect((await readdir(referenceFolder)).sort()).toEqual(names.sort())
  })

  test.for(pages())("$name is what the code says", async ({ name, text }) => {
    expect(await read(name)).toEqual(text)
  })

  test.for(schemas())("$name is the schema of the code", async ({ name, schema }) => {
    expect(JSON.parse(await read(name))).toEqual(JSON.parse(JSON.stringify(schema)))
  })

  test("every limit has a meaning", () => {
    const limits = pages().find(({ name }) => name === "limits.md")?.text ?? ""

    expect(limits.split("\n").filter(line => /\|\s+\|$/.test(line))).toEqual([])
  })
})

test("docs/errors has one section for each code, in order, with the exit code of the catalogue", async () => {
  const text = await readFile(join(root, "docs", "errors", "README.md"), "utf8")
  const [, ...sections] = text.split(/^## /m)

  const found = sections.map(section => {
    const [, code = section, exit = "none"] = /^(\w+)\n\nExit (\d+)\. \S/.exec(section) ?? []
    return `${code}: exit ${exit}`
  })
  const codes = Object.entries(catalogue).map(([code, { exit }]) => `${code}: exit ${exit}`)
  expect(found).toEqual(codes.sort())
})
