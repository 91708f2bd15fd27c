/** What a file's bytes are to a reader of text. Bytes that are not text are named, never re-encoded. */
export type Decoded =
  | { status: "text"; text: string }
  | { status: "not_text"; error: "binary" | "not_utf8"; what: string }

/** Decodes without loss: encoding `text` again gives the same bytes, a byte order mark included. */
export function decodeText(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) {
    return { status: "not_text", error: "not_utf8", what: "looks like UTF-16" }
  }
  if (bytes.includes(0)) return { status: "not_text", error: "binary", what: "has NUL bytes" }

  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    return { status: "text", text: decoder.decode(bytes) }
  } catch {
    return { status: "not_text", error: "not_utf8", what: "is in another encoding" }
  }
}

/** Decodes what need not be UTF-8, such as the output of a command. */
export function decodeLossy(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
}

/** How many bytes beyond its limit {@link wholeCharacters} may need to see. */
export const MARGIN_BYTES = 6

/**
 * The part of `bytes` that holds whole characters: at most `limitBytes` of them, but always at least
 * one character, so that whoever reads on makes progress. A character that began before `bytes` is
 * left out when `continues` says that there is something before.
 */
export function wholeCharacters(
  bytes: Uint8Array,
  { limitBytes, continues }: { limitBytes: number; continues: boolean },
): { start: number; end: number } {
  const start = continues ? characterFrom(bytes, 0) : 0
  const wanted = Math.min(start + limitBytes, bytes.length)

  const end = characterBefore(bytes, wanted)
  return { start, end: end > start ? end : characterFrom(bytes, Math.min(start + 1, bytes.length)) }
}

const LONGEST_TAIL = 3

function characterFrom(bytes: Uint8Array, position: number): number {
  const last = Math.min(position + LONGEST_TAIL, bytes.length)
  let at = position
  while (at < last && isTail(bytes[at])) at += 1
  return at
}

function characterBefore(bytes: Uint8Array, position: number): number {
  const first = Math.max(position - LONGEST_TAIL, 0)
  let at = position
  while (at > first && isTail(bytes[at])) at -= 1
  return at
}

/** True for the second and later bytes of a character; false past the end. */
function isTail(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}
