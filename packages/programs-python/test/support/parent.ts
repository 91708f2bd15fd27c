// Runs one program for ever, for tests that kill the process that has a session.
import { startPython } from "./python.ts"

const python = await startPython(process.env.CACHE ?? "")
await python.run("1")
const running = python.run(`print('started', flush=True)\n${process.env.SOURCE}`, {
  output: () => process.stdout.write("started\n"),
  call: () => new Promise(() => {}),
})
await running
