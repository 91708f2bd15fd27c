import { isFailure } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { below, just, literally, matching, quoted } from "../../src/seatbelt/text.ts"

test("a string keeps what it holds, quotes and backslashes escaped", () => {
  expect(quoted('/Users/a "b"\\c')).toBe('"/Users/a \\"b\\"\\\\c"')
  expect(below("/a")).toBe('(subpath "/a")')
  expect(just("/a")).toBe('(literal "/a")')
  expect(matching("/[.]git$")).toBe('(regex "/[.]git$")')
})

test("no text ends its own string", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), text => {
      fc.pre(!text.includes("\0"))
      const inner = quoted(text).slice(1, -1)
      expect(inner.replaceAll(/\\(["\\])/g, "$1")).toBe(text)
      expect(inner.replaceAll(/\\["\\]/g, "")).not.toMatch(/["\\]/)
    }),
  )
})

test("a string of more than 1,025 bytes is refused, for the system would cut it", () => {
  expect(quoted("x".repeat(1_025))).toHaveLength(1_027)
  expect(() => quoted("é".repeat(513))).toThrow(
    expect.toSatisfy(error => isFailure(error, "sandbox_unavailable")),
  )
})

test("a name as a pattern matches itself in any case, and nothing else", () => {
  const name = fc.string({ unit: fc.constantFrom(...".git(hooks)+*?[a]{b}|c^$-_"), minLength: 1 })

  fc.assert(
    fc.property(name, name, (one, other) => {
      fc.pre(!/[[\]^]/.test(one))
      const pattern = new RegExp(`^${literally(one)}$`)
      expect(pattern.test(one.toUpperCase())).toBe(true)
      expect(pattern.test(other)).toBe(other.toLowerCase() === one.toLowerCase())
    }),
  )
  expect(literally(".git")).toBe("[.][gG][iI][tT]")
})
