import { readFile } from "node:fs/promises"
import { ActionOutcome, AssistantMessage, failure, Price, Usage } from "@harness/protocol"
import { z } from "@harness/sdk"

/** The first line of a recording. */
const RecordingHeader = z.strictObject({
  recording: z.literal(1),
  /** The model that gave the messages. */
  model: z.string(),
  price: z.optional(Price),
})

/** How one result before a message ended when it was recorded. Without `actions` any will do. */
const ExpectedResult = z.strictObject({
  status: z.string(),
  actions: z.optional(z.array(ActionOutcome)),
})
export type ExpectedResult = z.infer<typeof ExpectedResult>

/** Every other line: a message of the model, and the results that it answered, in order. */
const RecordedMessage = z.strictObject({
  expect: z.array(ExpectedResult),
  message: AssistantMessage,
  usage: Usage,
  finish: z.enum(["stop", "tool_calls"]),
  /** Waited before the message, in milliseconds. */
  delay_ms: z.optional(z.number().nonnegative()),
})
export type RecordedMessage = z.infer<typeof RecordedMessage>

export type Recording = z.infer<typeof RecordingHeader> & { messages: RecordedMessage[] }

/**
 * Reads a recording: JSON lines, of which the first is the header. Throws `replay_invalid` with the
 * number of the line.
 */
export async function readRecording(path: string): Promise<Recording> {
  const invalid = (reason: string) => failure("replay_invalid", { recording: path, reason })
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : "unknown"
    throw invalid(code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`)
  })

  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }))
  const [first, ...rest] = lines.filter(({ line }) => line.trim() !== "")
  if (first === undefined) throw invalid("it is empty")

  const parse = <Schema extends z.ZodType>(schema: Schema, { line, number }: typeof first) => {
    const json = jsonOf(line)
    if (json === undefined) throw invalid(`line ${number} is not JSON`)
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data

    const [issue] = parsed.error.issues
    const place = issue?.path.join(".") || "the line"
    throw invalid(`line ${number}: ${place}: ${issue?.message ?? "is not valid"}`)
  }

  const header = parse(RecordingHeader, first)
  const messages = rest.map(line => parse(RecordedMessage, line))
  checkCounts(messages, (index, reason) => invalid(`line ${rest[index]?.number}: ${reason}`))
  return { ...header, messages }
}

/** Undefined when the line is not JSON. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A message answers the calls of the one before it, so their number is known beforehand. */
function checkCounts(
  messages: readonly RecordedMessage[],
  invalid: (index: number, reason: string) => Error,
): void {
  let calls = 0
  for (const [index, { expect, message }] of messages.entries()) {
    if (expect.length !== calls) {
      throw invalid(index, `it expects ${expect.length} results of ${calls} calls`)
    }
    calls = message.content.filter(part => part.type === "call").length
  }
}
