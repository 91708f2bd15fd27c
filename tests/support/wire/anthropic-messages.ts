import * as z from "zod"
import {
  argumentsText,
  type Dialect,
  defaultUsage,
  type Frame,
  runs,
  split,
  type WireAnswer,
  type WireCall,
} from "./dialect.ts"

const Body = z.object({ messages: z.array(z.object({ role: z.string() })) })

/** Anthropic's Messages API, streamed. */
export const anthropicMessages: Dialect = {
  basePath: "/v1",
  path: () => "/v1/messages",
  frames,
  modelTurns: body => runs(Body.parse(body).messages.map(({ role }) => role === "assistant")),
  errorBody: ({ status, message }) => ({
    type: "error",
    error: { type: errorTypes.get(status) ?? "api_error", message },
    request_id: "req_1",
  }),
  tooLong: ({ tokens, window }) => ({
    status: 400,
    message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
  }),
  errorFrame: message => frame({ type: "error", error: { type: "overloaded_error", message } }),
  unknownFrame: frame({ type: "weather_report", degrees: 21 }),
}

const errorTypes = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
])

function frames(answer: WireAnswer, n: number): Frame[] {
  const { reasoning = [], text = "", calls = [], pieces, usage = defaultUsage } = answer
  const { finish = "stop" } = answer
  const { input, cached = 0, written = 0 } = usage
  const blocks = [
    ...reasoning.map(one => reasoningBlock(one, pieces)),
    ...(text === "" ? [] : [textBlock(text, pieces)]),
    ...calls.map(call => callBlock(call, pieces)),
  ]

  const message = {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached - written,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: cached,
      output_tokens: 1,
    },
  }
  return [
    frame({ type: "message_start", message }),
    frame({ type: "ping" }),
    ...blocks.flatMap((block, index) => block.map(part => frame({ ...part, index }))),
    ...(finish === null ? [] : ending(answer)),
  ]
}

type BlockPart = { type: string }

function reasoningBlock(
  { text, state }: { text: string; state?: string },
  pieces: number | undefined,
): BlockPart[] {
  if (text === "") return block({ type: "redacted_thinking", data: state }, [])
  const deltas = split(text, pieces).map(thinking => ({ type: "thinking_delta", thinking }))
  const signature = state === undefined ? [] : [{ type: "signature_delta", signature: state }]
  return block({ type: "thinking", thinking: "", signature: "" }, [...deltas, ...signature])
}

function textBlock(text: string, pieces: number | undefined): BlockPart[] {
  const deltas = split(text, pieces).map(part => ({ type: "text_delta", text: part }))
  return block({ type: "text", text: "" }, deltas)
}

function callBlock(call: WireCall, pieces: number | undefined): BlockPart[] {
  const deltas = split(argumentsText(call), pieces).map(partial_json => ({
    type: "input_json_delta",
    partial_json,
  }))
  return block({ type: "tool_use", id: call.id, name: call.tool, input: {} }, deltas)
}

function block(content_block: object, deltas: readonly object[]): BlockPart[] {
  return [
    { type: "content_block_start", ...{ content_block } },
    ...deltas.map(delta => ({ type: "content_block_delta", ...{ delta } })),
    { type: "content_block_stop" },
  ]
}

function ending({ calls = [], finish, usage = defaultUsage }: WireAnswer): Frame[] {
  const stopped = calls.length > 0 ? "tool_use" : "end_turn"
  const delta = { stop_reason: finish === "length" ? "max_tokens" : stopped, stop_sequence: null }
  const counted = {
    output_tokens: usage.output,
    ...(usage.reasoning !== undefined && {
      output_tokens_details: { thinking_tokens: usage.reasoning },
    }),
  }
  return [frame({ type: "message_delta", delta, usage: counted }), frame({ type: "message_stop" })]
}

function frame(data: { type: string } & Record<string, unknown>): Frame {
  return { event: data.type, data }
}
