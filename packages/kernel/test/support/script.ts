import { AssistantPart, FinishReason, Price } from "@harness/protocol"
import * as z from "zod"

const Reply = z.strictObject({
  parts: z.array(AssistantPart).default([]),
  finish: FinishReason.optional(),
  /** Waits for the interrupt. */
  hangs: z.boolean().default(false),
  /** Fails after the parts, with this reason. */
  fails: z.string().optional(),
  /** Ends the stream after the parts without a finish. */
  endsEarly: z.boolean().default(false),
})

/** What the scripted provider answers, in order; the last reply is repeated for ever. */
export const Script = z.strictObject({ replies: z.array(Reply), price: Price.optional() })
export type Script = z.input<typeof Script>

/** A reply of calls, with ids `c<step>-<n>`. */
export function calls(
  step: number,
  ...list: [tool: string, input: object | string][]
): Script["replies"][number] {
  return {
    parts: list.map(([tool, input], at) => ({
      type: "call",
      id: `c${step}-${at + 1}`,
      tool,
      arguments: typeof input === "string" ? input : JSON.stringify(input),
    })),
  }
}

/** A reply of text: the answer. */
export function says(text: string): Script["replies"][number] {
  return { parts: [{ type: "text", text }] }
}
