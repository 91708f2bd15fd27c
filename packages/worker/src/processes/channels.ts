import type { ChildProcess } from "node:child_process"
import { closeSync, constants, openSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable } from "node:stream"

/** What carries a process's output to us. One of `read` and `abandon` is called, once. */
export interface Channel {
  readonly stdio: readonly ("ignore" | "pipe" | number)[]
  /** Reads until everyone has closed their end, or until it is closed. */
  read(child: ChildProcess, reading: Reading): { close(): void }
  /** There is no process: gives everything back. */
  abandon(): void
}

export type Reading = {
  /** The bytes are only lent: they are overwritten by the next ones. */
  take(bytes: Buffer): void
  /** `drained` is false when somebody may still hold the other end. */
  closed(drained: boolean): void
}

export type Streams = "both" | "stdout"

/**
 * One FIFO for both streams keeps their order, and /dev/stderr can be opened, which a socket pair
 * refuses. `buffer` is shared by all channels: what was read is used before the next read.
 */
export function fifoChannel(fifo: string, streams: Streams, buffer: Buffer): Channel {
  // In this order neither open waits for the other side.
  const ours = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const theirs = openSync(fifo, constants.O_WRONLY)

  return {
    stdio: ["ignore", theirs, streams === "both" ? theirs : "ignore"],

    read(_child, { take, closed }) {
      closeSync(theirs)
      let drained = false
      const onread = {
        buffer,
        callback: (count: number) => {
          take(buffer.subarray(0, count))
          return true
        },
      }
      const socket = new Socket({ fd: ours, readable: true, writable: false, onread })
      socket.on("error", () => undefined)
      socket.on("end", () => {
        drained = true
      })
      socket.on("close", () => closed(drained))
      socket.resume()
      return { close: () => socket.destroy() }
    },

    abandon() {
      closeSync(theirs)
      closeSync(ours)
    },
  }
}

/** Where there are no FIFOs: a pipe for each stream, their order is lost. */
export function pipeChannel(streams: Streams): Channel {
  return {
    stdio: ["ignore", "pipe", streams === "both" ? "pipe" : "ignore"],

    read(child, { take, closed }) {
      const open = [child.stdout, child.stderr].filter(stream => stream !== null)
      let left = open.length
      for (const stream of open) {
        listen(stream, take, () => {
          left -= 1
          if (left === 0) closed(true)
        })
      }
      return { close: () => open.forEach(stream => void stream.destroy()) }
    },

    abandon: () => undefined,
  }
}

function listen(stream: Readable, take: (bytes: Buffer) => void, closed: () => void): void {
  stream.on("data", take)
  stream.on("error", () => undefined)
  stream.on("close", closed)
}
