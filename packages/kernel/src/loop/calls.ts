import { type CallPart, JsonObject, type ResultPart } from "@harness/protocol"
import { inOrder, type Work } from "../scheduler/order.ts"
import { isStepInterrupted, stepInterruption } from "./steering/interruption.ts"
import type { RoomReached, StyleCall, StyleResult, WorkingStyle } from "./styles/style.ts"

export type CallsDone = { results: ResultPart[]; reached: RoomReached | null }

/** What is told of a result that is too long for the window. */
export type FitResult = (part: ResultPart) => Promise<ResultPart>

type CallContext = Omit<StyleCall, "part" | "input">

/**
 * Carries out the calls of one reply, each exactly once, and answers every one of them: also those
 * whose arguments came malformed, whose tool does not exist, or that an interrupt left undone.
 */
export async function runCalls(
  style: WorkingStyle,
  calls: readonly CallPart[],
  { fit, ...context }: CallContext & { fit: FitResult },
): Promise<CallsDone> {
  const done = await inOrder(calls.map(part => workOf(style, part, context)))
  return {
    results: await Promise.all(done.map(({ part }) => fit(part))),
    reached: done.find(({ reached }) => reached !== null)?.reached ?? null,
  }
}

function workOf(style: WorkingStyle, part: CallPart, context: CallContext): Work<StyleResult> {
  const offered = style.tools.map(tool => tool.name)
  if (!offered.includes(part.tool)) {
    const message = `There is no tool ${part.tool}. The tools are: ${offered.join(", ")}.`
    return answered(part, { error: "unknown_tool", message })
  }
  const input = argumentsOf(part)
  if ("error" in input) return answered(part, input)

  const call: StyleCall = { part, input: input.value, ...context }
  return {
    parallel: style.readsOnly(part.tool, input.value),
    async run() {
      if (!context.signal.aborted) return saidOf(await style.run(call), context.signal)
      const result = { status: "cancelled", error: "interrupted" }
      return saidOf(failed(part, "cancelled", result), context.signal)
    },
  }
}

/** The turn goes on: the model must know that it was the user who broke this off. */
function saidOf({ part, ...rest }: StyleResult, signal: AbortSignal): StyleResult {
  const isWhole = part.status === "ok" || part.status === "exit"
  if (isWhole || !isStepInterrupted(signal)) return { part, ...rest }
  return { part: { ...part, text: `${part.text}\n[${stepInterruption.message}]` }, ...rest }
}

function argumentsOf(part: CallPart): { value: JsonObject } | { error: string; message: string } {
  const text = part.arguments.trim() === "" ? "{}" : part.arguments
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text))
    if (parsed.success) return { value: parsed.data }
    return malformed("not a JSON object")
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return malformed(`not valid JSON (${reason})`)
  }
}

function malformed(what: string): { error: string; message: string } {
  const message = `The arguments are ${what}, so nothing was run. Send the call again.`
  return { error: "malformed_arguments", message }
}

function answered(part: CallPart, result: JsonObject & { error: string }): Work<StyleResult> {
  return { parallel: true, run: async () => failed(part, result.error, result) }
}

function failed(part: CallPart, status: string, result: JsonObject): StyleResult {
  return {
    part: {
      type: "result",
      call_id: part.id,
      tool: part.tool,
      status,
      text: JSON.stringify(result),
    },
    reached: null,
  }
}
