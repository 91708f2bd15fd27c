import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { openSnapshot, packSnapshot } from "../src/child/snapshot.ts"

const folder = mkdtempSync(join(tmpdir(), "harness-snapshot-"))
const file = join(folder, "snapshot")
afterAll(() => rmSync(folder, { recursive: true }))

const head = new Uint8Array(128).fill(7)

function memoryOf(pages: readonly number[]): Uint8Array {
  const memory = new Uint8Array(pages.length * 4_096)
  for (const [index, fill] of pages.entries()) memory[index * 4_096 + 9] = fill
  return memory
}

test("a snapshot is packed without its empty pages and restored as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 30 }), pages => {
      const wanted = memoryOf(pages)
      const packed = Buffer.concat([...packSnapshot(head, wanted)])
      writeFileSync(file, packed)

      const opened = openSnapshot(file)
      const memory = new Uint8Array(opened.total - head.length)
      opened.fill(memory)
      expect(opened.head).toEqual(head)
      expect(memory).toEqual(wanted)
      const used = pages.filter(page => page !== 0).length
      expect(packed.length).toBeLessThan(used * 4_096 + 1_500)
    }),
    { numRuns: 50 },
  )
})

test("a snapshot that is cut off anywhere is refused", () => {
  const packed = Buffer.concat([...packSnapshot(head, memoryOf([1, 0, 2]))])
  fc.assert(
    fc.property(fc.nat(packed.length - 1), length => {
      writeFileSync(file, packed.subarray(0, length))
      expect(() => {
        const opened = openSnapshot(file)
        opened.fill(new Uint8Array(opened.total - head.length))
      }).toThrow()
    }),
    { numRuns: 50 },
  )
})
