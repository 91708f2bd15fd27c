import type { Limits } from "@harness/protocol"
import type { ProgramEnd, ProgramFunction, ProgramRun } from "@harness/sdk"
import { answerCall } from "./calls.ts"
import type { Child, ChildEnded } from "./child-process.ts"
import { type Deadline, type Now, startDeadline } from "./clock.ts"
import { type ChildEnd, exitCodes, fromHost } from "./frames.ts"
import type { ChildMessage } from "./messages.ts"

export type ProgramOptions = {
  functions: ReadonlyMap<string, ProgramFunction>
  limits: Limits
  now: Now
  /** Called when the program was asked to stop: its interpreter may be lost soon. */
  onTrouble(): void
}

/** How long a program that was asked to stop, or printed too much, may take to end. Own time. */
const GRACE_MS = 500

type Outcome = Pick<ProgramEnd, "status" | "exitCode" | "error" | "variablesKept">

/**
 * Runs one program in an interpreter that is ready and idle. Resolves when it has ended and its last
 * call was answered: an action that is under way is never left behind. Never rejects.
 */
export async function runProgram(
  child: Child,
  program: ProgramRun,
  options: ProgramOptions,
): Promise<ProgramEnd> {
  const { functions, limits, now, onTrouble } = options
  const startMs = now()
  let stopped: string | null = null
  let calls = 0
  let characters = 0
  let callOpen = false
  let lastCall: Promise<void> | null = null

  // The program's own time: held while a call is open.
  const own: Deadline[] = []
  const limitOwnTime = (limitMs: number, expired: () => void) => {
    const deadline = startDeadline(now, limitMs, expired)
    if (callOpen) deadline.hold()
    own.push(deadline)
  }
  const stop = (reason: string) => {
    if (stopped !== null) return
    stopped = reason
    child.askToStop()
    limitOwnTime(GRACE_MS, () => child.kill(`${reason} It did not stop when asked to.`))
    onTrouble()
  }
  const cancel = () => stop("The program was cancelled.")
  const forged = (what: string) => child.kill(`The interpreter broke its protocol: ${what}.`)

  const total = startDeadline(now, limits.program_total_seconds * 1000, () =>
    stop(`The program took ${limits.program_total_seconds} s in all (program_total_seconds).`),
  )
  limitOwnTime(limits.program_seconds * 1000, () =>
    stop(`The program used up its ${limits.program_seconds} s of own time (program_seconds).`),
  )

  const call = async (message: Extract<ChildMessage, { type: "call" }>) => {
    calls += 1
    callOpen = true
    for (const deadline of own) deadline.hold()
    const { kind, body } = await answerCall(message, { functions, call: program.call, total })
    callOpen = false
    for (const deadline of own) deadline.release()
    child.send(kind, body)
  }
  const refuseCall = () => {
    const text = `A program may make ${limits.program_calls} calls (program_calls).`
    child.send(fromHost.exhausted, text)
  }

  const outcome = await new Promise<Outcome>(resolve => {
    let asked = 0
    let overflowed = false

    child.listen(message => {
      if (callOpen) return forged(`${message.type} while a call was open`)
      switch (message.type) {
        case "output":
          characters += countCharacters(message.text)
          if (characters > limits.program_output_characters)
            return forged("more output than it may send")
          return program.output(message.stream, message.text)
        case "call":
          if (message.number !== ++asked) return forged("calls out of order")
          if (calls === limits.program_calls) return refuseCall()
          lastCall = call(message)
          return
        case "overflow":
          if (overflowed) return forged("a second overflow")
          overflowed = true
          return limitOwnTime(GRACE_MS, () =>
            child.kill("It printed more than it may and did not end."),
          )
        case "end":
          return resolve(describeEnd(message.end, stopped))
        default:
          return forged(`${message.type} while a program ran`)
      }
    })
    void child.ended.then(ended => resolve(describeLoss(ended)))

    const { source, signal } = program
    const stopNumber = child.stopNumber()
    const outputCharacters = limits.program_output_characters
    child.send(fromHost.run, JSON.stringify({ source, outputCharacters, stop: stopNumber }))
    if (signal.aborted) cancel()
    else signal.addEventListener("abort", cancel)
  })

  program.signal.removeEventListener("abort", cancel)
  child.listen(message => forged(`${message.type} between two programs`))
  await lastCall
  for (const deadline of [total, ...own]) deadline.cancel()
  if (!outcome.variablesKept) child.kill("it must not be used again")
  return { ...outcome, calls, outputCharacters: characters, elapsedMs: now() - startMs }
}

function describeEnd(end: ChildEnd, stopped: string | null): Outcome {
  const { status, exit_code: exitCode, error } = end
  if (status === "broken") {
    const reason = `The interpreter broke: ${error ?? "no reason is known"}`
    return { status: "died", exitCode: null, error: reason, variablesKept: false }
  }
  if (status !== "interrupted") return { status, exitCode, error, variablesKept: true }
  // A KeyboardInterrupt that nobody sent is the program's own.
  if (stopped === null) return { status: "error", exitCode, error, variablesKept: true }
  const told = error ? `${stopped}\n${error}` : stopped
  return { status, exitCode, error: told, variablesKept: true }
}

function describeLoss({ killed, code, signal, stderr }: ChildEnded): Outcome {
  const lost = { exitCode: null, variablesKept: false } as const
  if (killed !== null) return { ...lost, status: "killed", error: killed }
  if (code === exitCodes.memory) {
    const error = "The interpreter held far more memory than Python's own (program_memory_bytes)."
    return { ...lost, status: "killed", error }
  }
  const how = signal ? `by ${signal}` : `with code ${code}`
  const last = stderr.trim().split("\n").at(-1)
  return {
    ...lost,
    status: "died",
    error: `The interpreter ended ${how}.${last ? ` ${last}` : ""}`,
  }
}

/** As Python counts: a surrogate pair is one. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}
