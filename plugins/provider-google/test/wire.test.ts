import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { ask, bash, go, partsOf, result } from "../../../tests/support/wire/conversation.ts"
import { openProvider } from "./open-provider.ts"

const wireBody = (contents: object[], generationConfig: object = {}) => ({
  generationConfig: { thinkingConfig: { includeThoughts: true }, ...generationConfig },
  contents: [{ role: "user", parts: [{ text: "Go." }] }, ...contents],
  systemInstruction: { parts: [{ text: "Be exact." }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: "bash",
          description: "Runs a command.",
          parametersJsonSchema: bash.parameters,
        },
      ],
    },
  ],
})

test("a plain turn: the whole request and every event", async () => {
  const { asked, server } = await openProvider([
    {
      text: "All is well.",
      pieces: 2,
      usage: { input: 120, output: 30, cached: 80, reasoning: 5 },
    },
  ])

  const events = await ask(asked, [go])

  const [request] = server.requests
  expect(request?.body).toEqual(wireBody([]))
  expect({
    method: request?.method,
    path: request?.path,
    key: request?.headers["x-goog-api-key"],
  }).toEqual({
    method: "POST",
    path: "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
    key: "sk-secret-1",
  })
  expect(events).toEqual([
    { type: "delta", of: "text", text: "All is" },
    { type: "delta", of: "text", text: " well." },
    { type: "part", part: { type: "text", text: "All is well." } },
    {
      type: "finish",
      reason: "stop",
      usage: {
        input_tokens: 120,
        cached_input_tokens: 80,
        output_tokens: 30,
        reasoning_tokens: 5,
      },
    },
  ])
})

test("the signature of thoughts and parallel calls go back as they came, with results", async () => {
  const { asked, server } = await openProvider([
    {
      reasoning: [{ text: "Let me think.", state: "signature-1" }],
      text: "Both.",
      calls: [
        { id: "c1", tool: "bash", arguments: { command: "a" } },
        { id: "c2", tool: "bash", arguments: { command: "b" } },
      ],
      pieces: 2,
    },
    { text: "Done." },
  ])

  const content = partsOf(await ask(asked, [go]))
  const logged: Message = JSON.parse(JSON.stringify({ role: "assistant", content }))
  const results = [result("c1", "ok", "A"), result("c2", "denied", "no")]
  await ask(asked, [go, logged, { role: "tool", content: results }])

  const signed = { google: { thoughtSignature: "signature-1" } }
  expect(content).toEqual([
    {
      type: "reasoning",
      text: "Let me think.",
      provider_state: { provider: "google", value: {} },
    },
    { type: "text", text: "Both." },
    {
      type: "call",
      id: "c1",
      tool: "bash",
      arguments: '{"command":"a"}',
      provider_state: { provider: "google", value: signed },
    },
    { type: "call", id: "c2", tool: "bash", arguments: '{"command":"b"}' },
  ])
  const call = (id: string, command: string) => ({
    functionCall: { id, name: "bash", args: { command } },
  })
  const response = (id: string, answer: object) => ({
    functionResponse: { id, name: "bash", response: { name: "bash", ...answer } },
  })
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      {
        role: "model",
        parts: [
          { text: "Let me think.", thought: true },
          { text: "Both." },
          { ...call("c1", "a"), thoughtSignature: "signature-1" },
          call("c2", "b"),
        ],
      },
      {
        role: "user",
        parts: [response("c1", { content: "A" }), response("c2", { error: "no" })],
      },
    ]),
  )
})

test("a signature at the end of a text goes back with it", async () => {
  const { asked, server } = await openProvider([
    { reasoning: [{ text: "Hm.", state: "signature-1" }], text: "Yes." },
    { text: "Done." },
  ])

  const content = partsOf(await ask(asked, [go]))
  await ask(asked, [go, { role: "assistant", content }, go])

  expect(server.requests[1]?.body).toEqual(
    wireBody([
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true },
          { text: "Yes.", thoughtSignature: "signature-1" },
        ],
      },
      { role: "user", parts: [{ text: "Go." }] },
    ]),
  )
})

test("what another provider has said goes on without its state and its reasoning", async () => {
  const { asked, server } = await openProvider([{ text: "Done." }], {}, "gemini-2.5-pro")
  const state = { provider: "anthropic", value: { google: { thoughtSignature: "forged" } } }

  await ask(asked, [
    go,
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Mine.", provider_state: state },
        { type: "text", text: "I look.", provider_state: state },
        {
          type: "call",
          id: "toolu_1",
          tool: "bash",
          arguments: '{"command":"a"}',
          provider_state: state,
        },
      ],
    },
    { role: "tool", content: [result("toolu_1", "ok", "A")] },
  ])

  expect(server.requests[0]?.body).toEqual(
    wireBody([
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { id: "toolu_1", name: "bash", args: { command: "a" } } },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "toolu_1",
              name: "bash",
              response: { name: "bash", content: "A" },
            },
          },
        ],
      },
    ]),
  )
})

test("a cap and effort reach the wire", async () => {
  const { asked, server } = await openProvider([{ text: "Short." }], { effort: "low" })

  await ask(asked, [go], { maxOutputTokens: 500 })

  expect(server.requests[0]?.body).toEqual(
    wireBody([], {
      maxOutputTokens: 500,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "low" },
    }),
  )
})

test("a model that does not think is not asked for its thoughts", async () => {
  const { asked, server } = await openProvider([{ text: "Short." }], {}, "gemini-2.0-flash")

  await ask(asked, [go])

  expect(JSON.parse(server.requests[0]?.text ?? "{}")).toEqual({
    ...wireBody([]),
    generationConfig: {},
  })
})

test("each step begins with the bytes of the step before", async () => {
  const { asked, server } = await openProvider((_request, n) => ({
    calls: [{ id: `c${n}`, tool: "bash", arguments: { command: `echo ${n}` } }],
    reasoning: [{ text: "Hm.", state: `signature-${n}` }],
  }))

  const messages: Message[] = [go]
  for (let n = 0; n < 12; n++) {
    messages.push({ role: "assistant", content: partsOf(await ask(asked, messages)) })
    messages.push({ role: "tool", content: [result(`c${n}`, "ok", `${n}`)] })
  }

  const texts = server.requests.map(({ text }) => text)
  for (const [index, text] of texts.entries()) {
    const before = texts[index - 1]
    if (before === undefined) continue
    const prefix = before.slice(0, before.lastIndexOf('],"systemInstruction":'))
    expect(text.startsWith(prefix)).toBe(true)
  }
})
