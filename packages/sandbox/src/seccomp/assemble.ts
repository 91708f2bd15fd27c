/**
 * One instruction of classic BPF as seccomp runs it: a jump goes over `jumpTrue` or `jumpFalse`
 * instructions.
 */
export type Instruction = { code: number; jumpTrue: number; jumpFalse: number; value: number }

/** The instructions a filter is made of; their numbers are the kernel's. */
const opcode = {
  load: 0x20,
  and: 0x54,
  jumpEqual: 0x15,
  jumpAtLeast: 0x35,
  jumpAny: 0x45,
  answer: 0x06,
} as const

/** The answers of a filter to the kernel. */
export const answer = {
  allow: 0x7fff0000,
  killProcess: 0x80000000,
  errno: (number: number) => 0x00050000 | (number & 0xffff),
} as const

/** Loads 32 bits of the call: its number, its architecture, the low word of an argument. */
export const load = {
  number: at(0),
  architecture: at(4),
  argument: (index: number) => at(16 + 8 * index),
} as const

export function masked(value: number): Instruction {
  return { code: opcode.and, jumpTrue: 0, jumpFalse: 0, value }
}

export function answerWith(value: number): Instruction {
  return { code: opcode.answer, jumpTrue: 0, jumpFalse: 0, value: value >>> 0 }
}

/** Runs `body`, which must end with an answer, when what was loaded is `value`; else goes on. */
export function whenEqual(value: number, body: readonly Instruction[]): Instruction[] {
  return [when(opcode.jumpEqual, value, body.length), ...body]
}

export function whenAtLeast(value: number, body: readonly Instruction[]): Instruction[] {
  return [when(opcode.jumpAtLeast, value, body.length), ...body]
}

/** Runs `body` when any bit of `bits` is set in what was loaded. */
export function whenAny(bits: number, body: readonly Instruction[]): Instruction[] {
  return [when(opcode.jumpAny, bits, body.length), ...body]
}

/** The bytes that `seccomp(2)` and `bwrap --seccomp` take: 8 for an instruction, in the machine's order. */
export function assembled(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, { code, jumpTrue, jumpFalse, value }] of program.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, jumpTrue)
    view.setUint8(index * 8 + 3, jumpFalse)
    view.setUint32(index * 8 + 4, value, true)
  }
  return bytes
}

function at(offset: number): Instruction {
  return { code: opcode.load, jumpTrue: 0, jumpFalse: 0, value: offset }
}

/** Jumps are 8 bits: a longer body would be cut short without a word. */
function when(code: number, value: number, over: number): Instruction {
  if (over > 255) throw new RangeError(`a body of ${over} instructions is more than a jump reaches`)
  return { code, jumpTrue: 0, jumpFalse: over, value: value >>> 0 }
}
