import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findLayout } from "../src/layout.ts"

let folder = ""

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-layout-")))
  lay("node_modules/pyodide/package.json", '{"name":"pyodide","version":"1.2.3"}')
})
afterEach(() => rmSync(folder, { recursive: true }))

function lay(path: string, text = ""): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function find() {
  return findLayout(pathToFileURL(join(folder, "dist/index.js")).href)
}

test.each([
  ["a bundle of harness", "dist/programs-python-child.js", "dist/prelude"],
  ["the package's build", "dist/child/main.js", "dist/child/prelude"],
  ["the source", "dist/child/main.ts", "dist/child/prelude"],
])("the parts are found in %s", (_where, child, prelude) => {
  lay(child)
  lay(`${prelude}/programs.py`)
  const pyodide = join(folder, "node_modules/pyodide")

  expect(find()).toEqual({
    childFile: join(folder, child),
    readable: [dirname(join(folder, child)), dirname(dirname(join(folder, child))), pyodide],
    preludeFolder: join(folder, prelude),
    pyodideFolder: pyodide,
    pyodideVersion: "1.2.3",
  })
})

test("a part that is missing is named", () => {
  lay("dist/child/main.js")
  expect(find).toThrow(join(folder, "dist/child/main.js"))
})
