import type { ResultPart } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { fittingResult } from "../../src/loop/fitting-result.ts"

const kept = {
  name: "output:ab",
  link: { role: "result", sha256: "ab".repeat(32), bytes: 9 },
}

function result(text: string): ResultPart {
  return { type: "result", call_id: "c1", tool: "read", status: "ok", text }
}

test("a result that fits is told as it is, and not kept", async () => {
  const part = result("x".repeat(400))
  const keep = () => Promise.reject(new Error("it is not to be kept"))
  expect(await fittingResult(part, { limitBytes: 400, keep })).toBe(part)
})

test("of a longer one the beginning and the end are told, how much is left out, and its name", async () => {
  const part = result(`${"a".repeat(300)}${"b".repeat(300)}`)
  expect(await fittingResult(part, { limitBytes: 400, keep: async () => kept })).toEqual({
    ...part,
    text: `${"a".repeat(240)}\n[200 of 600 bytes are left out here; read output:ab]\n${"b".repeat(160)}`,
    evidence: kept.link,
  })
})

test("without room for it that is said, instead of a name that leads nowhere", async () => {
  const part = result("x".repeat(600))
  const told = await fittingResult(part, { limitBytes: 400, keep: async () => null })
  expect(told).not.toHaveProperty("evidence")
  expect(told.text).toContain("[200 of 600 bytes are left out here; there is no room to keep them")
})

test("whatever it is, what is told is whole characters of it and little more than the limit", async () => {
  const Text = fc.string({ unit: "binary", minLength: 100, maxLength: 900 })
  await fc.assert(
    fc.asyncProperty(Text, fc.integer({ min: 40, max: 400 }), async (text, limitBytes) => {
      const whole = Buffer.from(text).toString()
      const told = await fittingResult(result(whole), { limitBytes, keep: async () => kept })
      if (told.text === whole) return
      const [, head = "?", tail = "?"] =
        /^(.*)\n\[\d+ of \d+ bytes are left out here; read output:ab\]\n(.*)$/s.exec(told.text) ??
        []
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
      expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(limitBytes)
      expect(Buffer.byteLength(head + tail)).toBeGreaterThan(limitBytes - 8)
    }),
  )
})
