/**
 * The wire between the host and the interpreter's process, one frame after another:
 *
 *     u32 length of what follows, little endian | u8 kind | body
 *
 * Both sides import this file, so it imports nothing heavy. Bodies are JSON unless said otherwise.
 */

/** The largest frame, kind and body together. What is larger ends the process. */
export const FRAME_LIMIT_BYTES = 8 * 1_048_576

/** From the interpreter to the host. */
export const fromChild = {
  /** It can run programs. No body. */
  ready: 1,
  /** It cannot start: {@link StartFailure}. */
  failed: 2,
  /** A piece of the snapshot's file, before `ready`; an empty body ends it. */
  snapshot: 3,
  /** u8 stream (1 stdout, 2 stderr), then UTF-8 text. */
  output: 4,
  /** u32 number of the call within the program, then `{name, args, kwargs}`. */
  call: 5,
  /** The program has printed more than it may. No body. */
  overflow: 6,
  /** The program ended: {@link ChildEnd}. */
  end: 7,
} as const

/** From the host to the interpreter. */
export const fromHost = {
  /** The first frame: {@link Hello}. */
  hello: 64,
  /** {@link RunRequest}. */
  run: 65,
  /** A call's result, a JSON object. */
  answer: 66,
  /**
   * A call's result whose longest text goes beside it: u32 length of the JSON, then
   * `[key of the text, result without it]`, then the text in UTF-8. Escaped into the JSON, a window
   * of a file would cost both sides more than all the rest of the call.
   */
  answerWithText: 69,
  /** UTF-8 text: the call raises TypeError. */
  refusal: 67,
  /** UTF-8 text: the program made its last call. */
  exhausted: 68,
} as const

/** Codes with which the interpreter's process ends itself. */
export const exitCodes = { hostGone: 70, memory: 71 } as const

export type Hello = {
  /** File URL of Pyodide's folder, its real path, with a closing `/`. */
  pyodideUrl: string
  /** The snapshot to load; null: load without one. */
  snapshotFile: string | null
  /** Whether to send a snapshot before `ready`. Only without a snapshot to load. */
  sendSnapshot: boolean
  /** Python modules that run once, in this order; they are in a snapshot already. */
  prelude: readonly (readonly [name: string, source: string])[]
  memoryLimitBytes: number
  functions: readonly {
    name: string
    parameters: readonly { name: string; required: boolean }[]
    description: string
  }[]
}

export type RunRequest = {
  source: string
  outputCharacters: number
  /** The stop number (descriptor 5) at the program's start; another one asks it to stop. */
  stop: number
}

/** Why an interpreter did not start. `snapshot`: the file is damaged, and without it there is hope. */
export type StartFailure = { cause: "snapshot" | "other"; reason: string }

/** `broken`: the interpreter itself failed and must not be used again. */
export type ChildEnd = {
  status: "ok" | "exit" | "error" | "interrupted" | "output_limit" | "broken"
  exit_code: number | string | null
  error: string | null
}

export type Frame = { kind: number; body: Buffer }

const HEADER_BYTES = 5

export function encodeFrame(kind: number, body: string | Uint8Array = ""): Buffer {
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length)
  frame.writeUInt32LE(1 + length, 0)
  frame[4] = kind
  if (typeof body === "string") frame.write(body, HEADER_BYTES)
  else frame.set(body, HEADER_BYTES)
  return frame
}

/** Bytes in, whole frames out, however the bytes were torn. */
export interface FrameReader {
  /** False once a frame was empty or too large: what follows cannot be read any more. */
  push(chunk: Buffer): boolean
}

export function createFrameReader(onFrame: (frame: Frame) => void): FrameReader {
  let chunks: Buffer[] = []
  let have = 0
  let need = 4
  let broken = false

  const take = (bytes: number): Buffer => {
    const [first] = chunks
    const all = chunks.length === 1 && first ? first : Buffer.concat(chunks, have)
    have -= bytes
    chunks = have > 0 ? [all.subarray(bytes)] : []
    return all.subarray(0, bytes)
  }

  return {
    push(chunk) {
      if (broken) return false
      chunks.push(chunk)
      have += chunk.length

      while (have >= need) {
        if (need === 4) {
          const length = peekLength(chunks, have)
          if (length < 1 || length > FRAME_LIMIT_BYTES) {
            broken = true
            return false
          }
          need += length
        } else {
          const frame = take(need)
          need = 4
          onFrame({ kind: frame.readUInt8(4), body: frame.subarray(HEADER_BYTES) })
        }
      }
      return true
    },
  }
}

function peekLength(chunks: Buffer[], have: number): number {
  const [first] = chunks
  if (first && first.length >= 4) return first.readUInt32LE(0)
  return Buffer.concat(chunks, have).readUInt32LE(0)
}
