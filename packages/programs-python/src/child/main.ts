import process from "node:process"
import type { PyodideAPI } from "pyodide"
import {
  type ChildEnd,
  fromChild,
  fromHost,
  type Hello,
  type RunRequest,
  type StartFailure,
} from "../frames.ts"
import { createInterrupts, type Interrupts } from "./interrupts.ts"
import { bareFunction, lockAfterLoading, lockBeforeLoading } from "./lockdown.ts"
import { createPipes } from "./pipes.ts"
import { loadPython, SnapshotDamaged } from "./python.ts"
import { packSnapshot } from "./snapshot.ts"

/**
 * The interpreter's process: it loads Python, says `ready`, and runs one program after another for
 * ever. The host starts it (../child-process.ts) with no environment and no rights but to read its
 * own code, and ends it with SIGKILL or by closing its pipes.
 */

/** What the process may hold besides Python's own memory: code, JavaScript's heap, buffers. */
const BESIDE_PYTHON_BYTES = 512 * 1_048_576
const SNAPSHOT_PIECE_BYTES = 65_536

const exit: (code: number) => never = process.exit.bind(process)
const collectGarbage = globalThis.gc
const pipes = createPipes(exit)
await serve(JSON.parse(pipes.receive().body.toString()))

async function serve(hello: Hello): Promise<never> {
  const interrupts = createInterrupts({
    pipes,
    rssLimitBytes: hello.memoryLimitBytes + BESIDE_PYTHON_BYTES,
    exit,
  })
  const run = await start(hello, interrupts)
  pipes.send(fromChild.ready)
  // What loading left behind: a third of the process, while the model still thinks.
  collectGarbage?.()

  for (;;) {
    const { kind, body } = pipes.receive()
    if (kind !== fromHost.run) exit(1)
    pipes.send(fromChild.end, JSON.stringify(run(JSON.parse(body.toString()))))
  }
}

type RunProgram = (request: RunRequest) => ChildEnd

async function start(hello: Hello, interrupts: Interrupts): Promise<RunProgram> {
  try {
    lockBeforeLoading(hello.memoryLimitBytes)
    const { python, snapshot } = await loadPython(hello)
    if (hello.sendSnapshot) {
      // What loading left behind goes first: this is the moment at which most is in use.
      collectGarbage?.()
      sendSnapshot(snapshot())
    }
    const run = connect(python, hello, interrupts)
    lockAfterLoading()
    return run
  } catch (error) {
    const cause = error instanceof SnapshotDamaged ? "snapshot" : "other"
    const failure: StartFailure = { cause, reason: String(error) }
    pipes.send(fromChild.failed, JSON.stringify(failure))
    return exit(1)
  }
}

/** Gives Python its two ways to the host and takes the function that runs a program. */
function connect(python: PyodideAPI, hello: Hello, interrupts: Interrupts): RunProgram {
  let calls = 0

  const call = bareFunction((question: string): Uint8Array => {
    const number = Buffer.alloc(4)
    number.writeUInt32LE(++calls)
    pipes.send(fromChild.call, Buffer.concat([number, Buffer.from(question)]))
    const { body } = pipes.receive()
    // With the frame's kind, which stands right before the body.
    return new Uint8Array(body.buffer, body.byteOffset - 1, body.length + 1)
  })
  const output = bareFunction((stream: number, text: string): void => {
    pipes.send(fromChild.output, Buffer.concat([Buffer.of(stream), Buffer.from(text)]))
  })
  const overflow = bareFunction((): void => pipes.send(fromChild.overflow))

  const programs = python.pyimport("_harness.programs")
  const kinds = JSON.stringify([fromHost.answer, fromHost.answerWithText, fromHost.exhausted])
  programs.connect(call, output, overflow, kinds, JSON.stringify(hello.functions))
  python.setInterruptBuffer(interrupts.buffer)

  return ({ source, outputCharacters, stop }) => {
    calls = 0
    interrupts.begin(stop)
    try {
      return JSON.parse(programs.run(source, outputCharacters))
    } catch (error) {
      // It was asked to stop before its first line or after its last.
      if (error instanceof python.ffi.PythonError && error.type === "KeyboardInterrupt") {
        return { status: "interrupted", exit_code: null, error: null }
      }
      // Not an exception of Python's: a trap, os._exit, too deep a recursion. Nothing can be trusted.
      return { status: "broken", exit_code: null, error: String(error).slice(-500) }
    }
  }
}

function sendSnapshot({ head, memory }: { head: Uint8Array; memory: Uint8Array }): void {
  for (const part of packSnapshot(head, memory)) {
    for (let from = 0; from < part.length; from += SNAPSHOT_PIECE_BYTES) {
      pipes.send(fromChild.snapshot, part.subarray(from, from + SNAPSHOT_PIECE_BYTES))
    }
  }
  pipes.send(fromChild.snapshot)
}
