import { imageMediaTypes, mediaTypeOf } from "@harness/protocol"
import type { ReadEvidence } from "../printers/printer.ts"
import type { TranscriptItem } from "./transcript.ts"

/** The pictures of a conversation that are kept, as `data:` URIs by their hashes. */
export async function embeddedImages(
  items: readonly TranscriptItem[],
  read: ReadEvidence,
): Promise<Map<string, string>> {
  const hashes = new Set(items.flatMap(imagesIn).map(({ evidence }) => evidence))
  const embedded = new Map<string, string>()
  for (const sha256 of hashes) {
    const bytes = await read(sha256)
    // What it begins with decides, not what somebody said of it.
    const type = bytes && mediaTypeOf(bytes)
    if (!bytes || !type || !imageMediaTypes.includes(type)) continue
    embedded.set(sha256, `data:${type};base64,${Buffer.from(bytes).toString("base64")}`)
  }
  return embedded
}

function imagesIn(item: TranscriptItem) {
  if (item.type === "user") return item.images
  return item.type === "call" ? (item.result?.images ?? []) : []
}
