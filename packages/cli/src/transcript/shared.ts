import type { ConversationSummary, ImagePart, ResultPart } from "@harness/protocol"
import { counted, dollars } from "../text/format.ts"
import { oneLine } from "../text/width.ts"
import type { TranscriptCall } from "./transcript.ts"

/** Facts of the head of a file, by name. */
export function factsOf(summary: ConversationSummary): [name: string, value: string][] {
  const { id, remote, folder, model, started_at, active_at, turns, steps, cost } = summary
  return [
    ["conversation", id],
    ["project", [remote, folder].filter(place => place !== null).join(" · ") || "unknown"],
    ["model", model],
    ["from", `${started_at} to ${active_at}`],
    ["size", `${counted(turns, "turn")}, ${counted(steps, "step")}, cost ${dollars(cost)}`],
  ]
}

export function titleOf({ title, id }: ConversationSummary): string {
  return oneLine(title) || `Conversation ${id}`
}

/** What a call was made with: a program's source, else its arguments, readable where they are JSON. */
export function inputOf(call: TranscriptCall): { language: string; text: string } {
  if (call.program !== null) {
    const { language, source } = call.program.started
    return { language, text: source }
  }
  try {
    return { language: "json", text: JSON.stringify(JSON.parse(call.arguments), null, 2) }
  } catch {
    return { language: "", text: call.arguments }
  }
}

export function imageInWords({ media_type, width, height, bytes, evidence }: ImagePart): string {
  return `${media_type}, ${width}×${height}, ${counted(bytes, "byte")}, sha256 ${evidence}`
}

/** Where the whole of a result is of which the model was told a part. */
export function restOf({ evidence }: ResultPart): string | null {
  if (evidence === undefined) return null
  return `the whole, ${counted(evidence.bytes, "byte")}, is kept: sha256 ${evidence.sha256}`
}
