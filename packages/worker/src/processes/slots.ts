import { type Channel, fifoChannel, pipeChannel, type Streams } from "./channels.ts"
import type { Reaper } from "./reaper.ts"

/** The ways in for outputs: a FIFO for each process that may run, used again and again. */
export interface OutputSlots {
  take(streams: Streams): OutputSlot
}

export type OutputSlot = {
  channel: Channel
  /** `drained` is false when a stray may still write: its FIFO must not serve another process. */
  release(drained: boolean): void
}

/** All sockets read into the same memory: what came is on the disk before the next read. */
const READ_BYTES = 65_536

export function outputSlots(reaper: Reaper): OutputSlots {
  const free = [...reaper.fifos]
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  return {
    take(streams) {
      const fifo = free.pop()
      const channel = fifo === undefined ? undefined : openFifo(fifo, streams, buffer)
      if (fifo === undefined || channel === undefined) {
        return { channel: pipeChannel(streams), release: () => undefined }
      }
      return {
        channel,
        release(drained) {
          const ready = drained ? Promise.resolve() : reaper.renew(fifo)
          void ready.then(() => free.push(fifo))
        },
      }
    },
  }
}

/** A FIFO that was removed is no reason not to run: its slot is pipes from now on. */
function openFifo(fifo: string, streams: Streams, buffer: Buffer): Channel | undefined {
  try {
    return fifoChannel(fifo, streams, buffer)
  } catch {
    return undefined
  }
}
