// A command as an action of the kernel (policy, the log's synced records, the worker, its reaper, the
// receipt on the disk), and a bare spawn of the same one, in turns. Prints the medians in milliseconds.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createKernel, createLocalLog } from "../../packages/kernel/src/index.ts"
import { median } from "./statistics.mjs"

const rounds = 200
const command = "echo ok"

const base = mkdtempSync(join(tmpdir(), "harness-command-"))
const [root, home, script] = [join(base, "root"), join(base, "home"), join(base, "script.json")]
mkdirSync(root)
mkdirSync(home, { mode: 0o700 })
writeFileSync(script, JSON.stringify({ replies: Array.from({ length: rounds }, turn).flat() }))

const env = { PATH: process.env.PATH, HOME: base }
const clock = () => Date.now()
let ids = 0
const kernel = createKernel({
  ...{ home, env, clock, now: () => performance.now(), version: "0.0.0-bench" },
  log: createLocalLog({ home, env, clock }),
  builtins: [
    {
      name: "fixture",
      version: "1.0.0",
      manifest: {
        api: 1,
        contributes: {
          kinds: [{ name: "desk", module: "." }],
          providers: [{ name: "scripted", module: "." }],
          programs: [],
          policies: [],
        },
        capabilities: [],
      },
      modules: { ".": sourceOf("kernel/test/support/fixture-package.ts") },
    },
  ],
  hosted: {
    "@harness/sdk": sourceOf("sdk/src/index.ts"),
    "@harness/protocol": sourceOf("protocol/src/index.ts"),
  },
  worker: {
    entry: fileURLToPath(sourceOf("worker/src/main.ts")),
    restore: sourceOf("worker/src/restore/restore.ts"),
    nodeFlags: ["--conditions=@harness/source"],
  },
  keychain: {
    entry: fileURLToPath(sourceOf("kernel/src/keys/keychain-process.ts")),
    nodeFlags: [],
  },
  ids: () => `id${++ids}`.padEnd(12, "0"),
  random: bytes => `${++ids}`.padStart(bytes * 2, "0"),
})

const ours = /** @type {number[]} */ ([])
const bare = /** @type {number[]} */ ([])
let beganMs = 0
kernel.subscribe(({ event }) => {
  if (event.type === "action_proposed") beganMs = performance.now()
  if (event.type !== "action_ended") return
  ours.push(performance.now() - beganMs)
  if (event.receipt.process?.exit_code !== 0) throw new Error(JSON.stringify(event))
})

const opened = await kernel.dispatch({
  ...{ type: "open", folder: root, agent: "harness", model: `scripted/${script}` },
  ...{ style: "tools", approve: "none", sandbox: "off", approver: false },
})
if (opened.type === "failed") throw new Error(opened.failure.message)
const { conversation } = opened
for (let round = 0; round < rounds; round += 1) {
  await kernel.dispatch({ type: "send", conversation, text: "Run it." })
  const spawnedMs = performance.now()
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] })
  child.stdout.resume()
  await once(child, "close")
  bare.push(performance.now() - spawnedMs)
}
await kernel.close()
rmSync(base, { recursive: true })
process.stdout.write(`ours=${median(ours).toFixed(3)} bare=${median(bare).toFixed(3)}\n`)

function turn() {
  const call = { type: "call", id: "c", tool: "call", arguments: JSON.stringify({ command }) }
  return [{ parts: [call] }, { parts: [{ type: "text", text: "Done." }] }]
}

/** @param {string} path */
function sourceOf(path) {
  return new URL(`../../packages/${path}`, import.meta.url).href
}
