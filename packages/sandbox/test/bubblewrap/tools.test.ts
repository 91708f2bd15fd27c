import { join } from "node:path"
import { expect, test } from "vitest"
import { shownPlaces, toolFolders } from "../../src/bubblewrap/tools.ts"
import { folderWith } from "../support/folder.ts"

test("an entry named bin brings what it lies in, but never the whole fresh folder", () => {
  const fresh = folderWith({ "bin/a": "", "node/bin/node": "", "loose/tool": "", "x/.bin/y": "" })
  const searchPath = ["bin", "node/bin", "loose", "x/.bin", "gone"].map(name => join(fresh, name))

  expect(toolFolders(searchPath.join(":"), [fresh])).toEqual(
    ["bin", "node", "loose", "x"].flatMap(name => {
      const path = join(fresh, name)
      return [
        { path, source: path },
        { path, source: path },
      ]
    }),
  )
})

test("an entry behind a link is there under its name and where it leads to", () => {
  const fresh = folderWith({ "real/bin/tool": "", current: { link: "real" } })

  expect(toolFolders(join(fresh, "current/bin"), [fresh])).toEqual([
    { path: join(fresh, "current"), source: join(fresh, "real") },
    { path: join(fresh, "real"), source: join(fresh, "real") },
  ])
})

test("the fresh folder itself, what lies elsewhere, and relative entries bring nothing", () => {
  const fresh = folderWith()
  const elsewhere = folderWith({ "bin/tool": "" })

  expect(toolFolders(`${fresh}:${join(elsewhere, "bin")}:bin:`, [fresh])).toEqual([])
})

test("what is to be seen is there under its name and where it leads to, unless nothing covers it", () => {
  const fresh = folderWith({ "real/checks.mjs": "", link: { link: "real" } })
  const elsewhere = folderWith({ "checks.mjs": "" })
  const paths = [join(fresh, "link"), join(fresh, "gone"), join(elsewhere, "checks.mjs"), fresh]

  expect(shownPlaces(paths, [fresh])).toEqual([
    { path: join(fresh, "link"), source: join(fresh, "real") },
    { path: join(fresh, "real"), source: join(fresh, "real") },
  ])
})
