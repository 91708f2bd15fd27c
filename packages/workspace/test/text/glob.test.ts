import { posix } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { nameGlob, pathTest } from "../../src/text/glob.ts"

test.each([
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/deep/er/a.ts", true],
  ["./src/*.ts", "src/a.ts", true],
  ["/a.ts", "a.ts", true],
  ["/a.ts", "src/a.ts", false],
  ["src/", "src/deep/a.ts", true],
  ["**", "any/thing", true],
  ["*", ".env", true],
  ["**/*.yml", ".github/workflows/ci.yml", true],
  ["*.{js,ts}", "a.ts", true],
  ["*.{js,ts}", "a.css", false],
  ["{src,lib}/**", "lib/deep/a", true],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["[a-c].md", "b.md", true],
  ["[!a-c].md", "b.md", false],
  ["a.b", "axb", false],
  ["{a", "{a", true],
  ["a,b", "a,b", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
])("the glob %s says of %s: %s", (pattern, path, isMeant) => {
  expect(pathTest(pattern)?.(path)).toBe(isMeant)
})

test.each(["", "[z-a]", "a*b*c*d*e*f*g"])("the glob %o cannot be read", pattern => {
  expect(pathTest(pattern)).toBe(null)
})

test.each([
  ["*.ts", "*.ts"],
  ["src/**/*.{ts,tsx}", "*.{ts,tsx}"],
  ["src/**", null],
  ["{a/x,b/y}", null],
  ["src/[ab].ts", null],
])("of the glob %s, ripgrep is told %s", (pattern, name) => {
  expect(nameGlob(pattern)).toBe(name)
})

const name = fc.stringMatching(/^[ab]{1,3}(\.[ab])?$/)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join("/"))
const segment = fc.constantFrom("*", "a", "ab", "*.a", "a?", "?", "**", "[ab]", "{a,b}", "a*")
const pattern = fc.array(segment, { minLength: 2, maxLength: 4 }).map(parts => parts.join("/"))

test("of names without a leading dot it says what Node's own glob says", async () => {
  await fc.assert(
    fc.property(pattern, path, (pattern, path) => {
      expect(pathTest(pattern)?.(path)).toBe(posix.matchesGlob(path, pattern))
    }),
    { numRuns: 2_000 },
  )
})
