import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { openSnapshot, packSnapshot } from "../src/child/snapshot.ts"

const folder = mkdtempSync(join(tmpdir(), "harness-snapshot-"))
const file = join(folder, "snapshot")
afterAll(() => rmSync(folder, { recursive: true }))

const HEAD_BYTES = 128

/** A snapshot as Pyodide makes it: its second number is where the memory begins. */
function snapshotOf(pages: readonly number[]): Uint8Array {
  const snapshot = new Uint8Array(HEAD_BYTES + pages.length * 4_096)
  new DataView(snapshot.buffer).setUint32(4, HEAD_BYTES, true)
  for (const [index, fill] of pages.entries()) snapshot[HEAD_BYTES + index * 4_096 + 9] = fill
  return snapshot
}

test("a snapshot is packed without its empty pages and restored as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 30 }), pages => {
      const snapshot = snapshotOf(pages)
      const packed = Buffer.concat([...packSnapshot(snapshot)])
      writeFileSync(file, packed)

      const opened = openSnapshot(file)
      const memory = new Uint8Array(opened.total - HEAD_BYTES)
      opened.fill(memory)
      expect(opened.head).toEqual(snapshot.subarray(0, HEAD_BYTES))
      expect(memory).toEqual(snapshot.subarray(HEAD_BYTES))
      const used = pages.filter(page => page !== 0).length
      expect(packed.length).toBeLessThan(used * 4_096 + 1_500)
    }),
    { numRuns: 50 },
  )
})

test("a snapshot that is cut off anywhere is refused", () => {
  const packed = Buffer.concat([...packSnapshot(snapshotOf([1, 0, 2]))])
  fc.assert(
    fc.property(fc.nat(packed.length - 1), length => {
      writeFileSync(file, packed.subarray(0, length))
      expect(() => {
        const opened = openSnapshot(file)
        opened.fill(new Uint8Array(opened.total - HEAD_BYTES))
      }).toThrow()
    }),
    { numRuns: 50 },
  )
})
