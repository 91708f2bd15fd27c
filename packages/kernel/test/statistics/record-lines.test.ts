import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readRecordLines } from "../../src/statistics/record-lines.ts"
import { temporaryFolder } from "../support/temporary.ts"

const at = "2026-11-30T10:00:00.000Z"

function lineOf(seq: number, characters: number): string {
  return `${JSON.stringify({ seq, at, type: "notice", message: "é".repeat(characters) })}\n`
}

async function read(file: string) {
  const lines: unknown[] = []
  const end = await readRecordLines(file, ({ seq, type, text }) => {
    lines.push({ seq, type, characters: text().length })
  })
  return { lines, end }
}

test("lines are read whole, however long they are and wherever the file is cut", async () => {
  const file = join(await temporaryFolder(), "log.jsonl")
  const lengths = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 120_000, max: 400_000 })), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(lengths, fc.nat(40), async (characters, cut) => {
      const lines = characters.map((length, index) => lineOf(index + 1, length))
      const bytes = Buffer.from(lines.join(""))
      await writeFile(file, bytes.subarray(0, Math.max(0, bytes.length - cut)))

      const whole = lines.slice(0, cut === 0 || bytes.length === 0 ? lines.length : -1)
      const isTorn = cut > 0 && bytes.length > 0
      expect(await read(file)).toEqual({
        lines: whole.map((line, index) => {
          return { seq: index + 1, type: "notice", characters: line.length - 1 }
        }),
        end: isTorn
          ? {
              status: "torn",
              reason: `the record after ${whole.length} was not written to its end`,
            }
          : { status: "whole" },
      })
    }),
    { numRuns: 30 },
  )
})

test("a line that is no record, or not the next one, is where reading ends", async () => {
  const file = join(await temporaryFolder(), "log.jsonl")
  for (const wrong of ["{}\n", "\n", lineOf(3, 1), lineOf(1, 1)]) {
    await writeFile(file, lineOf(1, 1) + wrong + lineOf(3, 1))
    expect(await read(file)).toMatchObject({
      lines: [{ seq: 1 }],
      end: { status: "damaged", reason: "record 2 is damaged" },
    })
  }
})
