import type { EvidenceLink, ResultPart } from "@harness/protocol"

/** Where a whole text is kept. `link` is null when it was kept before. */
export type KeptText = { name: string; link: EvidenceLink | null }

/** Of what a result may take, its beginning; the end says how it ended. */
const headShare = 0.6

/**
 * A result that is too long for the window: its beginning and end, and in between how much is left
 * out and the name by which all of it is read. Whoever makes results keeps to the limit where it
 * can page them better; nothing else is cut without a word.
 */
export async function fittingResult(
  part: ResultPart,
  {
    limitBytes,
    keep,
  }: {
    limitBytes: number
    /** Null when there is no room to keep it. */
    keep: (text: string) => Promise<KeptText | null>
  },
): Promise<ResultPart> {
  const bytes = Buffer.from(part.text)
  if (bytes.length <= limitBytes) return part

  const kept = await keep(part.text)
  const head = firstBytes(bytes, Math.floor(limitBytes * headShare))
  const tail = lastBytes(bytes, limitBytes - Math.floor(limitBytes * headShare))
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const rest = kept === null ? "there is no room to keep them: ask for less" : `read ${kept.name}`
  const mark = `[${left} of ${bytes.length} bytes are left out here; ${rest}]`
  return {
    ...part,
    text: `${head}\n${mark}\n${tail}`,
    ...(kept?.link && { evidence: kept.link }),
  }
}

/** Cut between characters. */
export function firstBytes(bytes: Uint8Array, count: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, count), {
    stream: true,
  })
}

function lastBytes(bytes: Uint8Array, count: number): string {
  let start = bytes.length - count
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start))
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}
