// The floor of a program's read: it asks one process, which asks another, which reads the file; the
// text comes back as JSON through both pipes, 500 times. Prints the milliseconds of the median and
// of the 95th in 100.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const [role = "asks", file = ""] = process.argv.slice(2)
const separator = 10

if (role === "asks") await ask()
if (role === "relays") relay()
if (role === "reads") {
  onLines(process.stdin, () => {
    process.stdout.write(`${JSON.stringify({ text: readFileSync(file, "utf8") })}\n`)
  })
}

async function ask() {
  const { stdin, stdout } = next("relays")
  const times = []
  let answered = () => {}
  onLines(stdout, line => {
    JSON.parse(line)
    answered()
  })

  for (let count = 0; count < 500; count += 1) {
    const began = performance.now()
    const answer = new Promise(resolve => (answered = () => resolve(undefined)))
    stdin.write(`${JSON.stringify({ count })}\n`)
    await answer
    times.push(performance.now() - began)
  }
  times.sort((left, right) => left - right)
  process.stdout.write(`p50=${times[250]?.toFixed(3)} p95=${times[475]?.toFixed(3)}\n`)
  stdin.end()
}

function relay() {
  const { stdin, stdout } = next("reads")
  onLines(process.stdin, line => stdin.write(`${line}\n`))
  onLines(stdout, line => process.stdout.write(`${JSON.stringify(JSON.parse(line))}\n`))
  void once(process.stdin, "end").then(() => stdin.end())
}

/** @param {string} role */
function next(role) {
  const program = fileURLToPath(import.meta.url)
  return spawn(process.execPath, [program, role, file], { stdio: ["pipe", "pipe", "inherit"] })
}

/**
 * @param {import("node:stream").Readable} stream
 * @param {(line: string) => void} take
 */
function onLines(stream, take) {
  const pieces = /** @type {Buffer[]} */ ([])
  stream.on("data", (/** @type {Buffer} */ bytes) => {
    let rest = bytes
    for (let end = rest.indexOf(separator); end >= 0; end = rest.indexOf(separator)) {
      pieces.push(rest.subarray(0, end))
      take(Buffer.concat(pieces.splice(0)).toString("utf8"))
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) pieces.push(rest)
  })
}
