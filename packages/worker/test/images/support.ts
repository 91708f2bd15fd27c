import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sandboxFor } from "@harness/sandbox"
import sharp, { type Sharp } from "sharp"
import { onTestFinished } from "vitest"
import { createDecoder, type Decoder } from "../../src/images/decoder.ts"

/** What a model takes, in tests. */
export const fitting = {
  media_types: ["image/png", "image/jpeg"],
  longest_side_pixels: 256,
  limit_bytes: 100_000,
  pixels: 64_000_000,
}

/** A decoder of a conversation whose commands are not contained. */
export function openDecoder(): Decoder {
  const temp = mkdtempSync(join(tmpdir(), "harness-images-"))
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }))
  const { platform, arch } = process
  const host = { platform, arch, searchPath: process.env.PATH ?? "", folder: temp, distrusted: [] }
  const shared = { root: temp, temp, home: temp, hidden: [], unixSockets: false, debuggers: false }
  const sandbox = { provider: sandboxFor("off", host), network: false, policy: shared }
  return createDecoder({ sandbox, scratch: temp, tag: "test" })
}

/** A picture with something in every corner, so that it is seen when it is turned or cut. */
export function picture(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      pixels[at] = Math.round((x * 255) / width)
      pixels[at + 1] = Math.round((y * 255) / height)
      pixels[at + 2] = ((x * 7) ^ (y * 3)) & 255
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** A PNG that says it is so large, with next to nothing in it. */
export async function bombOf(width: number, height: number): Promise<Buffer> {
  const flat = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .png()
    .toBuffer()
  flat.writeUInt32BE(width, 16)
  flat.writeUInt32BE(height, 20)
  const { crc32 } = await import("node:zlib")
  flat.writeUInt32BE(crc32(flat.subarray(12, 29)), 29)
  return flat
}
