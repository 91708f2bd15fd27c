import { isFailure } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { parseConfigDocument } from "../../src/config/document.ts"

test("any text is either a configuration or refused with a line that the file has", async () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"model"',
    '"limits"',
    '"max_steps"',
    "1",
    "null",
    "//x\n",
    "\n",
    "/*",
  ]
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.constantFrom(...pieces)).map(parts => parts.join("")),
  )

  await fc.assert(
    fc.asyncProperty(text, async written => {
      const refused = await parseConfigDocument("config.jsonc", written).then(
        () => undefined,
        error => error,
      )
      if (refused === undefined) return
      expect(isFailure(refused, "config_invalid")).toBe(true)
      expect(refused.details.line).toBeGreaterThanOrEqual(1)
      expect(refused.details.line).toBeLessThanOrEqual(written.split("\n").length)
    }),
  )
})
