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

const Body = z.object({
  input: z.array(z.object({ role: z.string().optional(), type: z.string().optional() })),
})

/** OpenAI's Responses API, streamed. */
export const openaiResponses: Dialect = {
  basePath: "/v1",
  path: () => "/v1/responses",
  frames: (answer, n) => eventsOf(answer, n).map(numbered),
  modelTurns: body => runs(Body.parse(body).input.map(isOfModel)),
  errorBody: ({ status, message }) => ({
    error: {
      message,
      type: status === 429 ? "rate_limit_error" : "error",
      param: null,
      code: null,
    },
  }),
  tooLong: () => ({
    status: 400,
    body: JSON.stringify({
      error: {
        message:
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded",
      },
    }),
  }),
  errorFrame: message => ({
    event: "error",
    data: { type: "error", code: "server_error", message, param: null, sequence_number: 99 },
  }),
  unknownFrame: {
    event: "response.weather",
    data: { type: "response.weather", degrees: 21, sequence_number: 98 },
  },
}

function isOfModel({ role, type }: z.infer<typeof Body>["input"][number]): boolean {
  return role === "assistant" || type === "reasoning" || type === "function_call"
}

type Event = { type: string } & Record<string, unknown>

function numbered(data: Event, index: number): Frame {
  return { event: data.type, data: { ...data, sequence_number: index } }
}

function eventsOf(answer: WireAnswer, n: number): Event[] {
  const { reasoning = [], text = "", calls = [], pieces, finish = "stop" } = answer
  const items = [
    ...reasoning.map((one, index) => reasoningItem(one, `rs_${n}_${index}`, pieces)),
    ...(text === "" ? [] : [messageItem(text, `msg_${n}`, pieces)]),
    ...calls.map((call, index) => callItem(call, `fc_${n}_${index}`, pieces)),
  ]

  const response = {
    id: `resp_${n}`,
    object: "response",
    created_at: 1_760_000_000,
    model: "scripted",
    status: "in_progress",
    output: [],
    usage: null,
  }
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
    ...items.flatMap((item, output_index) =>
      item.events.map(event => ({ ...event, output_index })),
    ),
    ...(finish === null
      ? []
      : [ending(answer, { ...response, output: items.map(item => item.whole) })]),
  ]
}

type Item = { events: Event[]; whole: object }

function reasoningItem(
  { text, state }: { text: string; state?: string },
  id: string,
  pieces: number | undefined,
): Item {
  const part = { item_id: id, summary_index: 0 }
  const summary = text === "" ? [] : [{ type: "summary_text", text }]
  const whole = {
    type: "reasoning",
    id,
    summary,
    ...(state !== undefined && { encrypted_content: state }),
  }
  const shown = [
    {
      type: "response.reasoning_summary_part.added",
      ...part,
      part: { type: "summary_text", text: "" },
    },
    ...split(text, pieces).map(delta => ({
      type: "response.reasoning_summary_text.delta",
      ...part,
      delta,
    })),
    { type: "response.reasoning_summary_text.done", ...part, text },
    { type: "response.reasoning_summary_part.done", ...part, part: { type: "summary_text", text } },
  ]
  return item(whole, { ...whole, summary: [] }, text === "" ? [] : shown)
}

function messageItem(text: string, id: string, pieces: number | undefined): Item {
  const place = { item_id: id, content_index: 0 }
  const part = { type: "output_text", text, annotations: [] }
  const whole = { type: "message", id, role: "assistant", status: "completed", content: [part] }
  return item(whole, { ...whole, status: "in_progress", content: [] }, [
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    ...split(text, pieces).map(delta => ({ type: "response.output_text.delta", ...place, delta })),
    { type: "response.output_text.done", ...place, text },
    { type: "response.content_part.done", ...place, part },
  ])
}

function callItem(call: WireCall, id: string, pieces: number | undefined): Item {
  const text = argumentsText(call)
  const begun = { type: "function_call", id, call_id: call.id, name: call.tool }
  const whole = { ...begun, status: "completed", arguments: text }
  return item(whole, { ...begun, status: "in_progress", arguments: "" }, [
    ...split(text, pieces).map(delta => ({
      type: "response.function_call_arguments.delta",
      item_id: id,
      delta,
    })),
    { type: "response.function_call_arguments.done", item_id: id, arguments: text },
  ])
}

function item(whole: object, begun: object, between: Event[]): Item {
  return {
    whole,
    events: [
      { type: "response.output_item.added", item: begun },
      ...between,
      { type: "response.output_item.done", item: whole },
    ],
  }
}

function ending({ finish, usage = defaultUsage }: WireAnswer, response: object): Event {
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  }
  if (finish !== "length") {
    return {
      type: "response.completed",
      response: { ...response, status: "completed", usage: counted },
    }
  }
  const incomplete_details = { reason: "max_output_tokens" }
  return {
    type: "response.incomplete",
    response: { ...response, status: "incomplete", incomplete_details, usage: counted },
  }
}
