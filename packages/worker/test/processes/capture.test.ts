import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { captureTo, previewOf } from "../../src/processes/capture.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

test("what came until now is told while the output grows, and when it is closed", () => {
  const folder = mkdtempSync(join(tmpdir(), "harness-capture-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "output")
  const capture = captureTo({
    file,
    limitBytes: 8,
    previewBytes: 4,
    grant: bytes => bytes,
    kept: () => undefined,
    full: () => undefined,
  })
  const soFar = (text: string, preview: string, more: object) => ({
    keptBytes: text.length,
    droppedBytes: 0,
    sha256: sha256(text),
    preview,
    truncated: false,
    ...more,
  })

  capture.take(Buffer.from("one"))
  expect(capture.soFar()).toEqual(soFar("one", "one", {}))
  capture.take(Buffer.from(" two"))
  expect(capture.soFar()).toEqual(soFar("one two", " two", { truncated: true }))
  capture.take(Buffer.from("!!"))

  const whole = soFar("one two!", "two!", { droppedBytes: 1, truncated: true })
  expect(capture.finish()).toEqual(whole)
  expect(capture.soFar()).toEqual(whole)
  expect(previewOf(file, 4)).toBe("two!")
})
