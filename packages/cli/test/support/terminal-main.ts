// The terminal over a conversation in the folder that is named: `harness` without its questions.

import type { KernelEvent } from "@harness/protocol"
import { ask } from "../../src/ask.ts"
import { compose } from "../../src/compose.ts"
import type { Invocation } from "../../src/invocation.ts"
import { runTerminal } from "../../src/terminal/app/run-terminal.ts"

const [folder = "", message] = process.argv.slice(2)

const invocation: Invocation = {
  argv: [],
  env: process.env,
  cwd: process.cwd(),
  stdin: { isTTY: true, open: () => process.stdin },
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  signals: process,
  compose,
  screen: () => ({ stdin: process.stdin, stdout: process.stdout }),
}

const kernel = await compose(invocation)
const told: KernelEvent[] = []
const unsubscribe = kernel.subscribe(event => told.push(event))
const { conversation } = await ask(kernel, {
  type: "open",
  folder,
  agent: "harness",
  approver: true,
})
unsubscribe()
const opened = { conversation, told, past: [], ...(message !== undefined && { message }) }
const end = await runTerminal(kernel, opened, invocation)
await kernel.close()

process.exitCode = end.type === "left" ? end.exit.code : 0
if (process.env.TEST_CPU === "yes") {
  const { user, system } = process.cpuUsage()
  process.stdout.write(`cpu ${Math.round((user + system) / 1_000)} ms\n`)
}
if (end.type === "left" && end.exit.now) process.exit()

function outputOf(stream: NodeJS.WriteStream) {
  const closed = new AbortController()
  stream.on("error", () => closed.abort())
  return {
    isTTY: true,
    columns: stream.columns,
    closed: closed.signal,
    write: (text: string) => void stream.write(text),
  }
}
