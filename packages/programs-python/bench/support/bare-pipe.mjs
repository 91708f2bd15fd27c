// The floor: a process that asks over one blocking pipe and reads the answer from another, and does
// nothing else. It is told u32 count and u32 bytes of each answer; it asks that often and then says
// how long the quickest round trip took, in nanoseconds. Messages to its parent: u8 kind, u64 value.
import { readSync, writeSync } from "node:fs"

const order = Buffer.alloc(8)
const message = Buffer.alloc(9)
const ASK = 1
const DONE = 2

function read(target) {
  for (let have = 0; have < target.length; ) {
    const got = readSync(3, target, have, target.length - have, null)
    if (got === 0) process.exit(0)
    have += got
  }
}

for (;;) {
  read(order)
  const answer = Buffer.alloc(order.readUInt32LE(4))
  let quickest = 2n ** 63n
  for (let left = order.readUInt32LE(0); left > 0; left -= 1) {
    const start = process.hrtime.bigint()
    message[0] = ASK
    writeSync(4, message)
    read(answer)
    const took = process.hrtime.bigint() - start
    if (took < quickest) quickest = took
  }
  message[0] = DONE
  message.writeBigUInt64LE(quickest, 1)
  writeSync(4, message)
}
