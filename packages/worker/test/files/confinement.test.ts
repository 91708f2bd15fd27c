import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bytesOf, type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
  folders.put({ "outside/secret": "outside", "outside/d/secret": "outside" })
  folders.put({ "root/a": "inside", "root/d/b": "inside", "root/d/e/c": "inside" })
})

afterEach(() => {
  folders.dispose()
})

const component = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "d", "e", "secret", "outside", "root") },
  { weight: 4, arbitrary: fc.constantFrom("..", ".", "", "link0", "link1", "link2") },
  fc.string({ unit: "grapheme", maxLength: 6 }),
)
const relative = fc.array(component, { minLength: 1, maxLength: 7 }).map(parts => parts.join("/"))
const path = fc.oneof(
  { weight: 5, arbitrary: relative },
  relative.map(rest => `/${rest}`),
  relative.map(rest => `{base}/${rest}`),
  fc.string({ unit: "binary" }),
)
const links = fc.array(fc.tuple(fc.constantFrom("", "d/", "d/e/"), path), { maxLength: 3 })

test("no path, through whatever links, reads or writes outside the root", async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(links, fc.array(path, { minLength: 1, maxLength: 6 }), async (made, paths) => {
      run += 1
      const fresh = makeFolders()
      try {
        cpSync(folders.outside, fresh.outside, { recursive: true })
        cpSync(folders.path, fresh.path, { recursive: true })
        const expand = (each: string) => each.replace("{base}", fresh.base)
        made.forEach(([folder, target], index) => {
          link(expand(target), join(fresh.path, folder, `link${index}`))
        })
        const before = snapshot(fresh.outside)

        for (const each of paths.map(expand)) {
          const read = await fresh.files.read(each, { limitBytes: 100 })
          if (read.status === "read") {
            expect(String(read.bytes)).not.toBe("outside")
            expect(realpathSync(join(fresh.path, read.path))).toBe(join(fresh.path, read.path))
          }
          const located = await fresh.files.locate(each)
          if (located.status === "located") {
            expect(`${realpathSync(located.absolute)}/`).toContain(`${fresh.path}/`)
          }
          await fresh.files.replace(each, bytesOf("written"), { expected: "absent" })
          await fresh.files.list(each)
        }
        expect(snapshot(fresh.outside)).toEqual(before)
        expect(readdirSync(fresh.base).sort()).toEqual(["artifacts", "home", "outside", "root"])
      } finally {
        fresh.dispose()
      }
    }),
    { numRuns: 300 },
  )
  expect(run).toBeGreaterThanOrEqual(300)
}, 120_000)

/** Targets that no link can have are left out. */
function link(target: string, place: string): void {
  try {
    symlinkSync(target, place)
  } catch {
    mkdirSync(place, { recursive: true })
  }
}

function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names.map(entry => {
      const place = join(entry.parentPath, entry.name)
      return [place, entry.isFile() ? readFileSync(place, "utf8") : "folder"]
    }),
  )
}
