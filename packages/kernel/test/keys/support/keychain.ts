// Stands in for the process that asks the keychain, where a test cannot have a keychain: the same
// questions and answers, and the keys in files of the folder TMPDIR. What else it does is in its `mode`.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { text } from "node:stream/consumers"

const [question, account = ""] = process.argv.slice(2)
const folder = process.env.TMPDIR ?? ""
const mode = existsSync(`${folder}/mode`) ? readFileSync(`${folder}/mode`, "utf8") : "open"
const file = `${folder}/${encodeURIComponent(account)}`
const key = await text(process.stdin)

switch (mode) {
  case "hangs":
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  case "locked":
    say({ status: "unavailable", reason: "it is locked" })
    break
  case "babbles":
    process.stdout.write(`{"status":"found","key":${readFileSync(file, "utf8")}`)
    break
  case "dies":
    process.kill(process.pid, "SIGKILL")
    break
  default:
    answer()
}

function answer(): void {
  const found = existsSync(file)
  if (question === "put") {
    writeFileSync(file, key)
    say({ status: "done" })
  } else if (question === "get") {
    say(found ? { status: "found", key: readFileSync(file, "utf8") } : { status: "none" })
  } else {
    rmSync(file, { force: true })
    say({ status: found ? "done" : "none" })
  }
}

function say(answer: object): void {
  process.stdout.write(JSON.stringify(answer))
}
