import * as z from "zod"
import {
  type Dialect,
  defaultUsage,
  type Frame,
  runs,
  split,
  type WireAnswer,
  type WireCall,
} from "./dialect.ts"

const Body = z.object({ contents: z.array(z.object({ role: z.string() })) })

/** Google's Gemini API: streamGenerateContent with `alt=sse`. */
export const gemini: Dialect = {
  basePath: "/v1beta",
  path: model => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  frames,
  modelTurns: body => runs(Body.parse(body).contents.map(({ role }) => role === "model")),
  errorBody: ({ status, message }) => ({
    error: { code: status, message, status: statuses.get(status) ?? "UNKNOWN" },
  }),
  tooLong: ({ tokens, window }) => ({
    status: 400,
    message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
  }),
  errorFrame: message => ({ data: { error: { code: 503, message, status: "UNAVAILABLE" } } }),
  unknownFrame: { data: { weatherReport: { degrees: 21 } } },
}

const statuses = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
])

type Part = Record<string, unknown>

/** A signature stands at the part after the thoughts: the first call, else the text. */
function frames(answer: WireAnswer, n: number): Frame[] {
  const { reasoning = [], text = "", calls = [], pieces, finish = "stop" } = answer
  const thoughts = reasoning.flatMap(one => split(one.text, pieces))
  const signature = reasoning.find(one => one.state !== undefined)?.state
  const signed = signature === undefined ? {} : { thoughtSignature: signature }

  const parts: Part[] = [
    ...thoughts.map(thought => ({ text: thought, thought: true })),
    ...split(text, pieces).map(part => ({ text: part })),
    ...calls.map(call => ({
      functionCall: { id: call.id, name: call.tool, args: objectOf(call) },
    })),
  ]
  const first = calls.length > 0 ? parts.length - calls.length : parts.length - 1
  const stream = parts.map((part, index) =>
    chunk([index === first ? { ...part, ...signed } : part], n),
  )
  return finish === null ? stream : [...stream, ending(answer, n)]
}

/** This wire has no other arguments than an object. */
function objectOf({ arguments: args }: WireCall): object {
  return typeof args === "string" ? JSON.parse(args) : args
}

function chunk(parts: Part[], n: number): Frame {
  return { data: { candidates: [{ content: { role: "model", parts }, index: 0 }], ...named(n) } }
}

function ending({ finish, usage = defaultUsage }: WireAnswer, n: number): Frame {
  const { input, output, cached, reasoning = 0 } = usage
  return {
    data: {
      candidates: [
        {
          content: { role: "model", parts: [{ text: "" }] },
          index: 0,
          finishReason: finish === "length" ? "MAX_TOKENS" : "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output - reasoning,
        totalTokenCount: input + output,
        ...(cached !== undefined && { cachedContentTokenCount: cached }),
        ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
      },
      ...named(n),
    },
  }
}

function named(n: number) {
  return { modelVersion: "scripted", responseId: `response-${n}` }
}
