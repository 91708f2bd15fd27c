// Ctrl-C while a busy server is waited for: from the signal to the end of the process. The arguments
// are the command. Prints the median in milliseconds.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { median } from "./statistics.mjs"

const rounds = 7
const [program = "", ...first] = process.argv.slice(2)

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(429, { "content-type": "application/json", "retry-after": "3" })
  response.end(JSON.stringify({ error: { message: "Slow down." } }))
})
server.listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
const port = typeof address === "object" ? address?.port : 0

const times = []
for (let round = 0; round < rounds; round += 1) times.push(await interrupted())
server.close()
process.stdout.write(`interrupt=${median(times).toFixed(1)}\n`)

async function interrupted() {
  const options = ["--folder", ".", "--style", "tools", "--approve", "none", "--sandbox", "off"]
  const child = spawn(program, [...first, "run", "Wait.", ...options], {
    env: { ...process.env, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const exited = once(child, "exit")

  let said = ""
  await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", text => {
      said += text
      if (said.includes("waiting 3.0 s")) resolve(undefined)
    })
    child.once("exit", () => reject(new Error(`it ended without a wait: ${said}`)))
  })
  const signalledMs = performance.now()
  child.kill("SIGINT")
  const [code] = await exited
  if (code !== 130) throw new Error(`it ended with ${code}: ${said}`)
  return performance.now() - signalledMs
}
