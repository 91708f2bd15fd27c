import { readlink } from "node:fs/promises"
import { expect, onTestFinished, test } from "vitest"
import { type FolderContent, temporaryFolder } from "../../../../tests/support/temporary-folder.ts"
import { loadConfig } from "../../src/config/load.ts"
import { rememberModel } from "../../src/config/remember.ts"

async function homeWith(content: FolderContent) {
  const home = await temporaryFolder(content)
  onTestFinished(() => home.remove())
  return home
}

const contents: readonly (readonly [what: string, before: string, after: string])[] = [
  ["an empty file", "", '{\n  "model": "a/b"\n}\n'],
  ["an empty object", "{}\n", '{\n  "model": "a/b"\n}\n'],
  [
    "comments and other keys",
    '// mine\n{\n  // how it works\n  "style": "tools", // so\n}\n',
    '// mine\n{\n  "model": "a/b",\n  // how it works\n  "style": "tools", // so\n}\n',
  ],
  ["another model", '{ "model": "c/d" /* it was */ }\n', '{ "model": "a/b" /* it was */ }\n'],
]

test.for(contents)(
  "with %s the model is kept and what else stands there stays",
  async ([, before, after]) => {
    const home = await homeWith({ "config.jsonc": before })
    const file = await rememberModel(home.path, "a/b")
    expect({ file, files: await home.files() }).toEqual({
      file: home.at("config.jsonc"),
      files: { "config.jsonc": after },
    })
    expect((await loadConfig({ home: home.path, env: {} })).config.model).toBe("a/b")
  },
)

test("a home without a file gets one", async () => {
  const home = await homeWith({})
  await rememberModel(home.path, "a/b")
  expect(await home.files()).toEqual({ "config.jsonc": '{\n  "model": "a/b"\n}\n' })
})

test("a file that is a link stays one, and what it leads to is changed", async () => {
  const home = await homeWith({ "mine.jsonc": "{}\n", "config.jsonc": { link: "mine.jsonc" } })
  await rememberModel(home.path, "a/b")
  expect(await readlink(home.at("config.jsonc"))).toBe("mine.jsonc")
  expect(await home.text("mine.jsonc")).toBe('{\n  "model": "a/b"\n}\n')
})

test("a file that does not hold is refused and left as it is", async () => {
  const home = await homeWith({ "config.jsonc": '{ "modle": 1 }\n' })
  await expect(rememberModel(home.path, "a/b")).rejects.toMatchObject({ code: "config_invalid" })
  expect(await home.files()).toEqual({ "config.jsonc": '{ "modle": 1 }\n' })
})
