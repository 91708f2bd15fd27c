import fc from "fast-check"
import { expect, test } from "vitest"
import { asJson, isJsonObject } from "../../src/ipc/json.ts"

test("what JSON.stringify keeps whole is JSON, and only that", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
      expect(isJsonObject(value)).toBe(true)
    }),
  )
  for (const value of [
    null,
    [],
    "text",
    new Map(),
    new Date(0),
    { a: undefined },
    { a: Number.NaN },
    { a: 1n },
    { a: [new Uint8Array(2)] },
    { a: () => 1 },
    { a: { b: Symbol("s") } },
  ]) {
    expect([value, isJsonObject(value)]).toEqual([value, false])
  }
})

test("what is not JSON is written as JSON writes it, or said not to be", () => {
  expect(asJson({ a: undefined, at: new Date(0), n: Number.NaN })).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    n: null,
  })
  expect(asJson(undefined)).toBeNull()
  expect(() => asJson({ a: 1n })).toThrow(/^its result is not JSON: .*BigInt/)
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(() => asJson(circle)).toThrow(/^its result is not JSON: .*circular/)
})
