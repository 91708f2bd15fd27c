import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { openProject } from "../support/project.ts"

const piece = fc.constantFrom(
  "..",
  ".",
  "",
  "a",
  "out",
  "in",
  "dangling",
  "/",
  "\\",
  "\0",
  "é",
  "//",
)
const path = fc
  .tuple(fc.constantFrom("", "/", "../", "./", "a/"), fc.array(piece, { maxLength: 5 }))
  .map(([start, pieces]) => start + pieces.join("/"))

test("no path that can be made up reads, writes or lists anything outside of the project", async () => {
  const project = await openProject({ "a/file": "inside", "in/file": "inside" })
  const outside = join(dirname(project.root), "outside")
  mkdirSync(outside)
  writeFileSync(join(outside, "secret"), "outside")
  symlinkSync(outside, join(project.root, "out"))
  symlinkSync(join(outside, "nothing"), join(project.root, "dangling"))
  symlinkSync("in", join(project.root, "a", "in"))

  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom("", "/secret", "/file"), async (folder, name) => {
      const path = `${folder}${name}`
      const read = await project.run("read_file", { path })
      expect(read.text ?? "inside").toMatch(/^(inside|new)$/)

      const write = await project.run("write_file", { path: `${path}-new`, text: "new" })
      expect(typeof (write.error ?? write.sha256)).toBe("string")
      expect(readdirSync(outside)).toEqual(["secret"])
    }),
    { numRuns: 300 },
  )

  for (const path of ["out", "../outside", "a/../out", outside]) {
    expect(await project.run("list_files", { path })).toMatchObject({ error: "outside_root" })
    expect(await project.run("search_files", { path, pattern: "." })).toMatchObject({
      error: "outside_root",
    })
  }
  expect(await project.run("search_files", { pattern: "outside" })).toMatchObject({ matches: [] })
})
