import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { toFailure } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import { expect, test } from "vitest"
import { providerOf } from "../src/index.ts"
import { finish, request, scriptedModel, textParts } from "./scripted-model.ts"

const unknownUsage = {
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

async function eventsOf(
  parts: readonly LanguageModelV4StreamPart[],
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const provider = providerOf(scriptedModel(parts), { provider: "vendor" })
  for await (const event of provider.stream(request, signal)) events.push(event)
  return events
}

async function reasonOf(parts: readonly LanguageModelV4StreamPart[]): Promise<unknown> {
  const error = await eventsOf(parts).catch((thrown: unknown) => thrown)
  const { code, details } = toFailure(error)
  return { code, reason: details.reason }
}

const call = (id: string, input: string): LanguageModelV4StreamPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "look",
  input,
})

test("parts come in the order in which they began, even when they end in another", async () => {
  const events = await eventsOf([
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "I look" },
    { type: "tool-input-start", id: "a", toolName: "look" },
    { type: "tool-input-delta", id: "a", delta: '{"at":' },
    { type: "tool-input-delta", id: "a", delta: "1}" },
    { type: "tool-input-end", id: "a" },
    call("a", '{"at":1}'),
    { type: "text-delta", id: "t", delta: " twice." },
    { type: "text-end", id: "t" },
    call("b", '{"at":2}'),
    finish("tool-calls", { input: 10, cached: 4, output: 5, reasoning: 1 }),
  ])

  expect(events).toEqual([
    { type: "delta", of: "text", text: "I look" },
    { type: "delta", of: "call", id: "a", tool: "look", text: '{"at":' },
    { type: "delta", of: "call", id: "a", tool: "look", text: "1}" },
    { type: "delta", of: "text", text: " twice." },
    { type: "part", part: { type: "text", text: "I look twice." } },
    { type: "part", part: { type: "call", id: "a", tool: "look", arguments: '{"at":1}' } },
    { type: "part", part: { type: "call", id: "b", tool: "look", arguments: '{"at":2}' } },
    {
      type: "finish",
      reason: "tool_calls",
      usage: {
        input_tokens: 10,
        cached_input_tokens: 4,
        output_tokens: 5,
        reasoning_tokens: 1,
      },
    },
  ])
})

test("signed and redacted reasoning keeps the state that its provider must get back", async () => {
  const events = await eventsOf([
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Hm." },
    {
      type: "reasoning-delta",
      id: "r",
      delta: "",
      providerMetadata: { vendor: { signature: "s" } },
    },
    { type: "reasoning-end", id: "r" },
    { type: "reasoning-start", id: "r", providerMetadata: { vendor: { redactedData: "x" } } },
    { type: "reasoning-end", id: "r" },
    finish(),
  ])

  expect(events).toEqual([
    { type: "delta", of: "reasoning", text: "Hm." },
    {
      type: "part",
      part: {
        type: "reasoning",
        text: "Hm.",
        provider_state: { provider: "vendor", value: { vendor: { signature: "s" } } },
      },
    },
    {
      type: "part",
      part: {
        type: "reasoning",
        text: "",
        provider_state: { provider: "vendor", value: { vendor: { redactedData: "x" } } },
      },
    },
    { type: "finish", reason: "stop", usage: unknownUsage },
  ])
})

test.each([
  ["stop", [], "stop"],
  ["stop", [call("a", "{}")], "tool_calls"],
  ["tool-calls", [call("a", "{}")], "tool_calls"],
  ["tool-calls", [], "other"],
  ["length", [call("a", "{")], "length"],
  ["content-filter", [], "content_filter"],
  ["other", [], "other"],
] as const)("the reason %s after %j is %s", async (unified, parts, reason) => {
  const events = await eventsOf([...parts, finish(unified)])

  expect(events.at(-1)).toEqual({ type: "finish", reason, usage: unknownUsage })
})

test("an empty text is no part", async () => {
  expect(await eventsOf([...textParts("t", ""), finish()])).toEqual([
    { type: "finish", reason: "stop", usage: unknownUsage },
  ])
})

test.each<[string, LanguageModelV4StreamPart[], string]>([
  ["no finish", textParts("t", "Hi."), "the stream ended without a finish"],
  ["nothing at all", [], "the stream ended without a finish"],
  ["an interruption", [finish("interrupted")], "the stream ended without a finish"],
  ["an error finish", [finish("error")], "the stream was ended by error"],
  [
    "an error part after the finish",
    [...textParts("t", "Hi."), finish(), { type: "error", error: { message: "late." } }],
    "late",
  ],
  [
    "an error part that is an Error",
    [{ type: "error", error: new Error("early") }, finish()],
    "early",
  ],
  ["an error part that says nothing", [{ type: "error", error: { code: 7 } }], '{"code":7}'],
  [
    "a call that was never whole",
    [{ type: "tool-input-start", id: "a", toolName: "look" }, finish("tool-calls")],
    "the stream ended in the middle of a call",
  ],
  [
    "a delta of a text that never began",
    [{ type: "text-delta", id: "t", delta: "x" }],
    "the stream went on with a text never begun",
  ],
  [
    "a tool that the provider ran by itself",
    [
      {
        type: "tool-call",
        toolCallId: "a",
        toolName: "web_search",
        input: "{}",
        providerExecuted: true,
      },
    ],
    "the provider ran web_search by itself, which nobody allowed",
  ],
])("a stream with %s fails the reply", async (_what, parts, reason) => {
  expect(await reasonOf(parts)).toEqual({ code: "provider_failed", reason })
})

test("an abort ends the reply even when the model does not watch the signal", async () => {
  const model = scriptedModel([{ type: "text-start", id: "t" }], { endless: true })
  const controller = new AbortController()
  const reason = new Error("stopped by the user")
  const stream = providerOf(model, { provider: "vendor" }).stream(request, controller.signal)

  const reading = (async () => {
    for await (const _event of stream);
  })()
  setTimeout(() => controller.abort(reason), 5)

  await expect(reading).rejects.toBe(reason)
})

test("a model that throws text, or nothing, still fails with a sentence", async () => {
  const model = { ...scriptedModel([]), doStream: () => Promise.reject("no such thing") }

  const asked = providerOf(model, { provider: "vendor" })
    .stream(request, new AbortController().signal)
    [Symbol.asyncIterator]()
    .next()

  await expect(asked).rejects.toMatchObject({
    message: "vendor did not answer for scripted-1: no such thing.",
  })
})

test("price and window are passed on, and a cap and the tools reach the model", async () => {
  const model = scriptedModel([finish()])
  const price = { input: 1, output: 2 }
  const provider = providerOf(model, {
    provider: "vendor",
    figures: { price, contextTokens: 8_000 },
  })
  const { signal } = new AbortController()
  const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }]

  for await (const _event of provider.stream({ ...request, tools, maxOutputTokens: 9 }, signal));

  expect({ price: provider.price, contextTokens: provider.contextTokens }).toEqual({
    price,
    contextTokens: 8_000,
  })
  expect(model.calls).toEqual([
    {
      prompt: [
        { role: "system", content: "Be exact." },
        { role: "user", content: [{ type: "text", text: "Go." }] },
      ],
      tools: [
        { type: "function", name: "look", description: "Looks.", inputSchema: { type: "object" } },
      ],
      abortSignal: signal,
      maxOutputTokens: 9,
    },
  ])
})
