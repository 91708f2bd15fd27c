import { chmodSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findBubblewrap } from "../../src/bubblewrap/program.ts"
import { folderWith } from "../support/folder.ts"

function folderOfPrograms() {
  const folder = folderWith({
    "project/bin/bwrap": "#!/bin/sh\n",
    "linked/bwrap": { link: "../project/bin/bwrap" },
    "text/bwrap": "no program",
    "system/bwrap": "#!/bin/sh\n",
    "later/bwrap": "#!/bin/sh\n",
  })
  for (const name of ["project/bin", "system", "later"]) {
    chmodSync(join(folder, name, "bwrap"), 0o755)
  }
  return (...names: string[]) => names.map(name => join(folder, name)).join(":")
}

test("the first bwrap of the search path that can be executed is used", () => {
  const at = folderOfPrograms()

  expect(findBubblewrap(at("none", "text", "system", "later"), [])).toBe(at("system/bwrap"))
  expect(findBubblewrap(at("none"), [])).toBeUndefined()
})

test("a bwrap that commands can write is passed over, by its own name or another", () => {
  const at = folderOfPrograms()

  const found = findBubblewrap(at("project/bin", "linked", "system"), [at("project")])

  expect(found).toBe(at("system/bwrap"))
})

test("a folder of the search path that depends on where one is counts for nothing", () => {
  expect(findBubblewrap("::.:bin", [])).toBeUndefined()
})
