import { readSync, writeSync } from "node:fs"
import { encodeFrame, exitCodes, type Frame } from "../frames.ts"

const FROM_HOST = 3
const TO_HOST = 4
const STOP = 5

/**
 * The pipes to the host, read and written in a blocking way: while Python waits for an answer, or
 * for its next program, this process does nothing at all. JavaScript's event loop never turns again.
 */
export interface Pipes {
  send(kind: number, body?: string | Uint8Array): void
  /** Waits for the next frame; ends the process when the host is gone. */
  receive(): Frame
  /** The stop number that the host wrote last. */
  stopNumber(): number
}

export function createPipes(exit: (code: number) => never): Pipes {
  const received = Buffer.allocUnsafeSlow(131_072)
  const stop = Buffer.alloc(1)
  let start = 0
  let end = 0

  // One read usually brings a whole frame: the host sends the next one only after an answer.
  const fill = (target: Buffer, from: number, atLeast: number): number => {
    let have = from
    while (have < atLeast) {
      const bytes = attempt(() => readSync(FROM_HOST, target, have, target.length - have, null))
      if (bytes === 0) exit(exitCodes.hostGone)
      have += bytes
    }
    return have
  }

  const attempt = (call: () => number): number => {
    try {
      return call()
    } catch {
      return exit(exitCodes.hostGone)
    }
  }

  return {
    send(kind, body) {
      const frame = encodeFrame(kind, body)
      let sent = 0
      while (sent < frame.length) {
        sent += attempt(() => writeSync(TO_HOST, frame, sent, frame.length - sent))
      }
    },

    receive() {
      if (start === end) start = end = 0
      if (end - start < 4 || start > 0) {
        received.copyWithin(0, start, end)
        end = fill(received, end - start, 4)
        start = 0
      }
      const size = 4 + received.readUInt32LE(0)

      if (size <= received.length) {
        end = fill(received, end, size)
        start = size
        return { kind: received.readUInt8(4), body: received.subarray(5, size) }
      }
      const whole = Buffer.allocUnsafeSlow(size)
      received.copy(whole, 0, 0, end)
      fill(whole, end, size)
      start = end = 0
      return { kind: whole.readUInt8(4), body: whole.subarray(5) }
    },

    stopNumber() {
      return readSync(STOP, stop, 0, 1, 0) === 1 ? stop.readUInt8(0) : 0
    },
  }
}
