import * as z from "zod"
import {
  argumentsText,
  type Dialect,
  defaultUsage,
  runs,
  split,
  type WireAnswer,
} from "./dialect.ts"

const Body = z.object({ messages: z.array(z.object({ role: z.string() })) })

/** OpenAI's chat completions, streamed, as many other servers speak them. */
export const openaiChat: Dialect = {
  basePath: "/v1",
  path: () => "/v1/chat/completions",
  frames: (answer, n) => chunks(answer, n).map(data => ({ data })),
  modelTurns: body => runs(Body.parse(body).messages.map(({ role }) => role === "assistant")),
  errorBody: ({ message }) => ({ error: { message, type: "error", param: null, code: null } }),
  tooLong: ({ tokens, window }) => ({
    status: 400,
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  }),
  errorFrame: message => ({ data: { error: { message, type: "server_error" } } }),
  unknownFrame: {
    data: {
      object: "weather.report",
      choices: [{ index: 0, delta: { weather: 21 }, finish_reason: null }],
    },
  },
  lastFrame: { data: "[DONE]" },
}

function chunks(answer: WireAnswer, n: number): object[] {
  const { reasoning = [], text = "", calls = [], pieces, usage = defaultUsage } = answer
  const { finish = "stop" } = answer
  const base = {
    id: `chatcmpl-${n}`,
    object: "chat.completion.chunk",
    created: 1_760_000_000,
    model: "scripted",
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })

  const callDeltas = calls.flatMap((call, index) => [
    { index, id: call.id, type: "function", function: { name: call.tool, arguments: "" } },
    ...split(argumentsText(call), pieces).map(part => ({ index, function: { arguments: part } })),
  ])
  const stopped = calls.length > 0 ? "tool_calls" : "stop"
  const details = {
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning !== undefined && {
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    }),
  }
  return [
    chunk({ role: "assistant", content: "" }),
    ...reasoning
      .flatMap(one => split(one.text, pieces))
      .map(reasoning_content => chunk({ reasoning_content })),
    ...split(text, pieces).map(content => chunk({ content })),
    ...callDeltas.map(delta => chunk({ tool_calls: [delta] })),
    ...(finish === null ? [] : [chunk({}, finish === "length" ? "length" : stopped)]),
    {
      ...base,
      choices: [],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        ...details,
      },
    },
  ]
}
