/** A system call as a filter sees it; arguments are their low 32 bits. */
export type Call = { architecture: number; number: number; arguments?: readonly number[] }

const codes = {
  load: 0x20,
  and: 0x54,
  jumpEqual: 0x15,
  jumpAtLeast: 0x35,
  jumpAny: 0x45,
  answer: 0x06,
}

/** Runs a program of classic BPF as the kernel does, for the instructions that seccomp filters use. */
export function answerOf(program: Uint8Array, call: Call): number {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength)
  const given = asRead(call)
  let accumulator = 0

  for (let index = 0; index * 8 < program.byteLength; index += 1) {
    const code = view.getUint16(index * 8, true)
    const [jumpTrue, jumpFalse] = [view.getUint8(index * 8 + 2), view.getUint8(index * 8 + 3)]
    const value = view.getUint32(index * 8 + 4, true)
    const jump = (taken: boolean) => {
      index += taken ? jumpTrue : jumpFalse
    }

    switch (code) {
      case codes.load:
        accumulator = given.getUint32(value, true)
        break
      case codes.and:
        accumulator = (accumulator & value) >>> 0
        break
      case codes.jumpEqual:
        jump(accumulator === value)
        break
      case codes.jumpAtLeast:
        jump(accumulator >= value)
        break
      case codes.jumpAny:
        jump((accumulator & value) !== 0)
        break
      case codes.answer:
        return value
      default:
        throw new Error(`no instruction ${code.toString(16)} at ${index}`)
    }
  }
  throw new Error("the program ended without an answer")
}

/** `struct seccomp_data`: number, architecture, instruction pointer, six arguments of 64 bits. */
function asRead(call: Call): DataView {
  const view = new DataView(new ArrayBuffer(64))
  view.setUint32(0, call.number >>> 0, true)
  view.setUint32(4, call.architecture, true)
  for (const [index, value] of (call.arguments ?? []).entries()) {
    view.setUint32(16 + 8 * index, value >>> 0, true)
    // What a filter must not mind: the kernel takes these arguments for 32 bits.
    view.setUint32(20 + 8 * index, 0xdead, true)
  }
  return view
}
