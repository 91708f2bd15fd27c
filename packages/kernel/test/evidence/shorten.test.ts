import { createHash } from "node:crypto"
import type { JsonObject } from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { shortenResult } from "../../src/evidence/shorten.ts"

test("a result without long strings is kept as the same object", () => {
  const result = { text: "x".repeat(2_000), lines: ["a", { b: null }], ok: true, size: 3 }
  expect(shortenResult(result)).toBe(result)
})

test("a long string, however deep, becomes its hash, its size and its beginning", () => {
  const long = "é".repeat(2_001)
  const kept = { deep: [1, "short"] }
  const shortened = shortenResult({ text: long, kept, list: [{ output: long }] })
  const reference = {
    $text: {
      sha256: createHash("sha256").update(long).digest("hex"),
      bytes: 4_002,
      head: "é".repeat(200),
    },
  }
  expect(shortened).toEqual({ text: reference, kept, list: [{ output: reference }] })
  expect(shortened.kept).toBe(kept)
})

test("the beginning does not end in half of a character", () => {
  const shortened = shortenResult({ text: `${"a".repeat(199)}😀${"b".repeat(2_000)}` })
  expect(shortened).toMatchObject({ text: { $text: { head: "a".repeat(199) } } })
})

test("keys are kept in their order, whatever they are called", async () => {
  const key = fc.oneof(fc.string(), fc.constant("__proto__"))
  const value = fc.oneof(fc.string(), fc.constant("x".repeat(3_000)), fc.jsonValue())
  await fc.assert(
    fc.property(fc.array(fc.tuple(key, value)), entries => {
      const result: JsonObject = JSON.parse(JSON.stringify(Object.fromEntries(entries)))
      expect(Object.keys(shortenResult(result))).toEqual(Object.keys(result))
    }),
  )
})
