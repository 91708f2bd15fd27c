import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

/** Round trips between this process and one that does nothing but ask. */
export interface BarePipe {
  /** Answers `count` questions with `bytes` each; the quickest round trip in microseconds. */
  quickest(count: number, bytes: number): Promise<number>
  end(): void
}

const MESSAGE_BYTES = 9

export function startBarePipe(): BarePipe {
  const script = fileURLToPath(new URL("./bare-pipe.mjs", import.meta.url))
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"],
  })
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error("no pipes")

  let answer = Buffer.alloc(0)
  let done = (_microseconds: number) => {}
  output.on("data", (message: Buffer) => {
    // It waits after each message, so they come one by one.
    if (message.length !== MESSAGE_BYTES) throw new Error(`a message of ${message.length} bytes`)
    if (message[0] === 1) input.write(answer)
    else done(Number(message.readBigUInt64LE(1)) / 1_000)
  })

  // One after another: a benchmark calls once more than it waits.
  let last: Promise<unknown> = Promise.resolve()
  return {
    quickest(count, bytes) {
      const next = last.then(() => {
        answer = Buffer.alloc(bytes, "z")
        const order = Buffer.alloc(8)
        order.writeUInt32LE(count, 0)
        order.writeUInt32LE(bytes, 4)
        return new Promise<number>(resolve => {
          done = resolve
          input.write(order)
        })
      })
      last = next
      return next
    },
    end() {
      child.kill("SIGKILL")
    },
  }
}
