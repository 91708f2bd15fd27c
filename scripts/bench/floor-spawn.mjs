// The floor of a command: a bare spawn of the same program, one after the other, 200 times. Prints
// the milliseconds of the median.
import { spawn } from "node:child_process"
import { once } from "node:events"

const times = []
for (let count = 0; count < 200; count += 1) {
  const began = performance.now()
  const child = spawn("echo", ["ok"], { stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  child.stdout.on("data", chunk => (printed += chunk))
  await once(child, "close")
  if (printed !== "ok\n") throw new Error(`it printed ${JSON.stringify(printed)}`)
  times.push(performance.now() - began)
}
times.sort((left, right) => left - right)
process.stdout.write(`p50=${times[100]?.toFixed(3)} p95=${times[190]?.toFixed(3)}\n`)
