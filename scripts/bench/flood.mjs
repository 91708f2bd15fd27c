// How long a command that prints 1 GiB takes to be ended at its limit, by the worker's own pool: one,
// then sixteen at once. Prints milliseconds.
import { makePool } from "../../packages/worker/test/support/pool.ts"

const pool = makePool()

async function flood() {
  const { receipt } = await pool.run({ argv: ["head", "-c", "1073741824", "/dev/zero"] })
  if (receipt.status !== "output_limit") throw new Error(JSON.stringify(receipt))
}

/** @param {number} count */
async function timed(count) {
  const began = performance.now()
  await Promise.all(Array.from({ length: count }, flood))
  return performance.now() - began
}

// What is made with the first command is not paid by the others.
await pool.run({ argv: ["true"] })
const [one, sixteen] = [await timed(1), await timed(16)]
await pool.dispose()
process.stdout.write(`one=${one.toFixed(1)} sixteen=${sixteen.toFixed(1)}\n`)
