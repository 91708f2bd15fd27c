import { Json, JsonObject } from "@harness/protocol"
import { z } from "@harness/sdk"
import { type Frame, fromChild } from "./frames.ts"

/** What the interpreter's process may say. It may have been taken over: all of it is checked. */
export type ChildMessage =
  | { type: "ready" }
  | { type: "failed"; cause: "snapshot" | "other"; reason: string }
  | { type: "snapshot"; piece: Buffer }
  | { type: "output"; stream: "stdout" | "stderr"; text: string }
  | { type: "call"; number: number; name: string; args: Json[]; kwargs: JsonObject }
  | { type: "overflow" }
  | { type: "end"; end: z.infer<typeof End> }

/** Null for a frame of an unknown kind or form. */
export function readMessage({ kind, body }: Frame): ChildMessage | null {
  switch (kind) {
    case fromChild.ready:
      return body.length === 0 ? { type: "ready" } : null
    case fromChild.failed: {
      const failed = parseJson(Failed, body)
      return failed && { type: "failed", ...failed }
    }
    case fromChild.snapshot:
      return { type: "snapshot", piece: body }
    case fromChild.output:
      return readOutput(body)
    case fromChild.call:
      return readCall(body)
    case fromChild.overflow:
      return body.length === 0 ? { type: "overflow" } : null
    case fromChild.end: {
      const end = parseJson(End, body)
      return end && { type: "end", end }
    }
    default:
      return null
  }
}

const Failed = z.strictObject({ cause: z.enum(["snapshot", "other"]), reason: z.string() })

const End = z.strictObject({
  status: z.enum(["ok", "exit", "error", "interrupted", "output_limit", "broken"]),
  exit_code: z.union([z.number(), z.string(), z.null()]),
  error: z.union([z.string(), z.null()]),
})

const Call = z.strictObject({ name: z.string(), args: z.array(Json), kwargs: JsonObject })

function readOutput(body: Buffer): ChildMessage | null {
  const stream = body[0]
  if (stream !== 1 && stream !== 2) return null
  return {
    type: "output",
    stream: stream === 1 ? "stdout" : "stderr",
    text: body.toString("utf8", 1),
  }
}

function readCall(body: Buffer): ChildMessage | null {
  if (body.length < 4) return null
  const call = parseJson(Call, body.subarray(4))
  if (!call) return null
  return { type: "call", number: body.readUInt32LE(0), ...call }
}

function parseJson<Output>(schema: z.ZodType<Output>, body: Buffer): Output | null {
  try {
    const parsed = schema.safeParse(JSON.parse(body.toString()))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
