// From the start of `harness` in a terminal to the line in which one can type. The arguments are the
// command. Prints the median in milliseconds.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { median } from "./statistics.mjs"

const rounds = 9
const words = process.argv.slice(2)

const times = []
// The first one fills the caches.
await untilPrompt()
for (let round = 0; round < rounds; round += 1) times.push(await untilPrompt())
process.stdout.write(`first_prompt=${median(times).toFixed(1)}\n`)

async function untilPrompt() {
  const line = [...words, "--folder", "."].map(word => `'${word}'`).join(" ")
  const beganMs = performance.now()
  const child = spawn("script", ["-qec", `exec ${line}`, "/dev/null"], {
    env: { ...process.env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const exited = once(child, "exit")

  let shown = ""
  await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", text => {
      shown += text
      if (shown.includes("what shall be done")) resolve(undefined)
    })
    child.once("exit", () => reject(new Error(`it ended without a prompt: ${shown}`)))
  })
  const tookMs = performance.now() - beganMs
  child.stdin.end("\u0003\u0003")
  await exited
  return tookMs
}
