import { type CallPart, type Json, JsonObject, type ProcessReceipt } from "@harness/protocol"
import { exitOf, outcomeOf, subjectOf, wentWell, wordsOf } from "../../printers/action-line.ts"
import { grouped } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { oneLine } from "../../text/width.ts"
import type { EndedCall, Of } from "./view.ts"

/** A text longer than this is no figure of a call's line. */
const shownCharacters = 40

/**
 * What an action was called for, in one line: `read cmd/list.go offset=14 limit=3`. In the words of
 * the model's own call, where the action is one.
 */
export function titleOf(proposal: Of<"action_proposed">, call: CallPart | undefined): string {
  const written = proposal.origin.type === "call" && call ? argumentsOf(call) : null
  const [name, input] = call && written ? [call.tool, written] : [proposal.action, proposal.input]
  const subject = subjectOf(input)
  // A person who typed the command knows what runs it.
  if (proposal.origin.type === "user" && subject !== "") return oneLine(visible(subject))
  const figures = proposal.effect === "write" ? [] : figuresOf(input, subject)
  return oneLine(visible([name, subject, ...figures].filter(word => word !== "").join(" ")))
}

/** The call as it ended: what its line and its details are made of. */
export function endedCall(
  event: Of<"action_ended">,
  proposal: Of<"action_proposed"> | undefined,
  call: CallPart | undefined,
): EndedCall {
  const { action, result } = event
  // Only a command's process is the reader's business: a search uses one too.
  const { process, ...rest } = event.receipt
  const receipt = proposal?.effect === "execute" && process ? { ...rest, process } : rest
  return {
    actionId: event.action_id,
    from: proposal?.origin.type ?? "call",
    title: proposal === undefined ? action : titleOf(proposal, call),
    outcome: oneLine(visible(outcomeIn({ ...event, receipt }))),
    well: wentWell(result, receipt),
    permits: proposal?.permits,
    input: proposal?.input ?? {},
    result,
    receipt,
  }
}

/** `exit 1 · 6.2s · timed_out false`, `error ambiguous_match · old_text found 2 times`, `denied (user)`. */
function outcomeIn({ summary, result, receipt }: Of<"action_ended">): string {
  if (receipt.status === "denied") return outcomeOf(result, receipt)
  if (typeof result.error === "string") return errorIn(summary, result.error)
  if (receipt.process) return endOf(receipt.process)
  if (receipt.status !== "ok") return wordsOf(receipt.status)
  return summary?.split(" · ").slice(1).join(" · ") ?? ""
}

/** With what the action itself says of it, where its summary does. */
function errorIn(summary: string | undefined, code: string): string {
  const at = summary?.indexOf(`error ${code}`) ?? -1
  return summary === undefined || at === -1 ? `error ${code}` : summary.slice(at)
}

function endOf(process: ProcessReceipt): string {
  const { status, elapsed_seconds, truncated, output_bytes, reason } = process
  if (status === "running") return "running"
  if (status === "not_started") return ["not started", ...(reason ? [reason] : [])].join(" · ")
  const end = status === "exited" || status === "timeout" ? exitOf(process) : wordsOf(status)
  return [
    end,
    `${elapsed_seconds.toFixed(1)}s`,
    `timed_out ${status === "timeout"}`,
    ...(truncated ? [`output truncated, ${grouped(output_bytes)} bytes original`] : []),
  ].join(" · ")
}

function argumentsOf({ arguments: text }: CallPart): JsonObject | null {
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function figuresOf(input: JsonObject, subject: string): string[] {
  return Object.entries(input).flatMap(([name, value]) =>
    isFigure(value) && value !== subject ? [`${name}=${value}`] : [],
  )
}

function isFigure(value: Json): value is number | string | true {
  if (typeof value === "string") return value.length <= shownCharacters && !value.includes("\n")
  return typeof value === "number" || value === true
}
