import type { ProgramEnd, ProgramRun, ProgramSession } from "@harness/sdk"
import type { Machine } from "./child-process.ts"
import type { Now } from "./clock.ts"
import { type Interpreter, type InterpreterOptions, startInterpreter } from "./interpreter.ts"
import { runProgram } from "./program.ts"

/**
 * A session over interpreters. The one in use is replaced as soon as it is lost. A spare costs as
 * much memory as a second interpreter, so there is none until it is likely to be needed: when a
 * program is asked to stop for the first time, or an interpreter is lost. From then on there always
 * is one, and a lost interpreter is replaced by one that is ready.
 */
export async function startSession(
  options: InterpreterOptions,
  machine: Machine,
  now: Now,
): Promise<ProgramSession> {
  const functions = new Map(options.functions.map(each => [each.name, each]))
  const start = () => startInterpreter(options, machine)

  let current: Interpreter = start()
  let spare: Interpreter | null = null
  let used = false
  let disposed = false
  await current.spawned

  const keepSpare = () => {
    if (!disposed) spare ??= start()
  }
  const replace = () => {
    if (disposed) return
    current = spare ?? start()
    spare = null
    used = false
    keepSpare()
  }

  const runNext = async (program: ProgramRun): Promise<ProgramEnd> => {
    if (disposed) return notRun("killed", "The session was closed.")
    if (!current.alive() && used) {
      replace()
      return notRun(
        "died",
        "The interpreter was lost since the last program; its variables are gone.",
      )
    }
    if (!current.alive()) replace()

    const ready = await readyOrAborted(current, program.signal)
    if (ready === "aborted") return notRun("interrupted", "The program was cancelled.", true)
    if (disposed) return notRun("killed", "The session was closed.")
    if (ready.status === "failed") {
      return notRun("died", `The interpreter did not start: ${ready.reason}`)
    }

    used = true
    const end = await runProgram(ready.child, program, {
      functions,
      limits: options.limits,
      now,
      onTrouble: keepSpare,
    })
    if (!end.variablesKept) replace()
    return end
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    run(program) {
      const end = last.then(() => runNext(program))
      last = end
      return end
    },
    async dispose() {
      disposed = true
      await Promise.all([current.end("The session was closed."), spare?.end("it was not needed")])
    },
  }
}

async function readyOrAborted(interpreter: Interpreter, signal: AbortSignal) {
  if (signal.aborted) return "aborted" as const
  let abort = () => {}
  const aborted = new Promise<"aborted">(resolve => {
    abort = () => resolve("aborted")
    signal.addEventListener("abort", abort)
  })
  try {
    return await Promise.race([interpreter.ready, aborted])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}

function notRun(status: ProgramEnd["status"], error: string, variablesKept = false): ProgramEnd {
  return {
    status,
    exitCode: null,
    error,
    calls: 0,
    outputCharacters: 0,
    elapsedMs: 0,
    variablesKept,
  }
}
