import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  createFrameReader,
  encodeFrame,
  FRAME_LIMIT_BYTES,
  type Frame,
  fromChild,
} from "../src/frames.ts"

function readAll(chunks: Buffer[]): {
  frames: { kind: number; body: string }[]
  readable: boolean
} {
  const frames: { kind: number; body: string }[] = []
  const reader = createFrameReader(({ kind, body }: Frame) => {
    frames.push({ kind, body: body.toString("hex") })
  })
  let readable = true
  for (const chunk of chunks) readable = reader.push(chunk)
  return { frames, readable }
}

/** Cuts bytes at the given places. */
function tear(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length))
}

describe("frames", () => {
  test("arrive as they were sent, however the bytes were torn", () => {
    const frame = fc.record({
      kind: fc.integer({ min: 0, max: 255 }),
      body: fc.uint8Array({ maxLength: 200 }),
    })
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat(5_000)), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(({ kind, body }) => encodeFrame(kind, body)))
        expect(readAll(tear(bytes, cuts))).toEqual({
          frames: frames.map(({ kind, body }) => ({
            kind,
            body: Buffer.from(body).toString("hex"),
          })),
          readable: true,
        })
      }),
    )
  })

  test("carry text as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), text => {
        const { frames } = readAll([encodeFrame(fromChild.output, text)])
        expect(frames).toEqual([
          { kind: fromChild.output, body: Buffer.from(text).toString("hex") },
        ])
      }),
    )
  })

  test("that end in the middle are not told", () => {
    const bytes = encodeFrame(1, "whole")
    expect(readAll([bytes, bytes.subarray(0, bytes.length - 1)]).frames).toHaveLength(1)
  })

  test("of the largest size arrive; one byte more ends the reading, and so does an empty one", () => {
    const largest = encodeFrame(1, new Uint8Array(FRAME_LIMIT_BYTES - 1))
    expect(readAll([largest]).frames).toHaveLength(1)

    const header = Buffer.alloc(4)
    header.writeUInt32LE(FRAME_LIMIT_BYTES + 1)
    expect(readAll([header, encodeFrame(1, "")])).toEqual({ frames: [], readable: false })
    expect(readAll([Buffer.alloc(4), encodeFrame(1, "")])).toEqual({ frames: [], readable: false })
  })
})
