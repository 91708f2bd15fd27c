/**
 * Builds an object from the one it was stored against. Throws for what is no delta of it, or makes
 * more than `limitBytes`.
 */
export function applyDelta(base: Buffer, delta: Buffer, limitBytes: number): Buffer {
  const from = sizeAt(delta, 0)
  const to = sizeAt(delta, from.end)
  if (from.value !== base.length || to.value > limitBytes) throw new RangeError("not its delta")

  const result = Buffer.alloc(to.value)
  let written = 0
  for (let at = to.end; at < delta.length; ) {
    const instruction = delta.readUInt8(at)
    at += 1
    if (instruction === 0) throw new RangeError("not a delta")

    const copies = (instruction & 0x80) !== 0
    const place = copies
      ? placeAt(delta, at, instruction)
      : { offset: at, size: instruction, end: at }
    const source = copies ? base : delta
    const end = place.offset + place.size
    if (end > source.length || written + place.size > result.length) {
      throw new RangeError("a delta that leads outside")
    }
    source.copy(result, written, place.offset, end)
    written += place.size
    at = copies ? place.end : end
  }
  if (written !== result.length) throw new RangeError("a delta that ends early")
  return result
}

/** A number in groups of seven bits, the lowest first. */
export function sizeAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let scale = 1
  for (let at = start; ; at += 1) {
    const byte = bytes.readUInt8(at)
    value += (byte & 0x7f) * scale
    scale *= 128
    if ((byte & 0x80) === 0) return { value, end: at + 1 }
  }
}

/** Which bytes of the base are copied: only those of offset and size are written that are not 0. */
function placeAt(delta: Buffer, start: number, instruction: number) {
  let at = start
  const number = (flags: readonly number[]) => {
    let value = 0
    for (const [index, flag] of flags.entries()) {
      if ((instruction & flag) === 0) continue
      value += delta.readUInt8(at) * 256 ** index
      at += 1
    }
    return value
  }
  const offset = number([0x01, 0x02, 0x04, 0x08])
  const size = number([0x10, 0x20, 0x40])
  return { offset, size: size === 0 ? 0x10000 : size, end: at }
}
