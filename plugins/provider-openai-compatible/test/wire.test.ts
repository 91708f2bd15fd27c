import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { ask, bash, go, openProvider, partsOf } from "./open-provider.ts"

const wireTools = [
  {
    type: "function",
    function: { name: "bash", description: "Runs a command.", parameters: bash.parameters },
  },
]

const wireBody = (messages: object[]) => ({
  model: "scripted-1",
  messages: [{ role: "system", content: "Be exact." }, ...messages],
  tools: wireTools,
  stream: true,
  stream_options: { include_usage: true },
})

test("a plain turn: the whole request and every event", async () => {
  const { provider, server } = await openProvider([
    { text: "All is well.", pieces: 2, usage: { input: 12, output: 3, cached: 8, reasoning: 1 } },
  ])

  const events = await ask(provider, [go])

  const [request] = server.requests
  expect(request?.body).toEqual(wireBody([{ role: "user", content: "Go." }]))
  expect({
    method: request?.method,
    path: request?.path,
    authorization: request?.headers.authorization,
  }).toEqual({
    method: "POST",
    path: "/v1/chat/completions",
    authorization: "Bearer sk-secret-1",
  })
  expect(events).toEqual([
    { type: "delta", of: "text", text: "All is" },
    { type: "delta", of: "text", text: " well." },
    { type: "part", part: { type: "text", text: "All is well." } },
    {
      type: "finish",
      reason: "stop",
      usage: {
        input_tokens: 12,
        cached_input_tokens: 8,
        output_tokens: 3,
        reasoning_tokens: 1,
      },
    },
  ])
})

test("a turn with a result: the call and the result go back in their smallest form", async () => {
  const { provider, server } = await openProvider([{ text: "Done." }])

  await ask(provider, [
    go,
    {
      role: "assistant",
      content: [{ type: "call", id: "call_1", tool: "bash", arguments: '{"command": "echo ok"}' }],
    },
    {
      role: "tool",
      content: [
        {
          type: "result",
          call_id: "call_1",
          tool: "bash",
          status: "ok",
          text: "ok\n[exit 0]",
          actions: [{ action: "run_command", status: "ok", exit_code: 0 }],
        },
      ],
    },
  ])

  expect(server.requests[0]?.body).toEqual(
    wireBody([
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "bash", arguments: '{"command":"echo ok"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "ok\n[exit 0]" },
    ]),
  )
})

test("parallel calls come in order, and go back as one message and a result each", async () => {
  const { provider, server } = await openProvider([
    {
      text: "Both.",
      calls: [
        { tool: "bash", arguments: { command: "a" }, id: "one" },
        { tool: "bash", arguments: { command: "b" }, id: "two" },
      ],
    },
    { text: "Done." },
  ])

  const first = await ask(provider, [go])
  const content = partsOf(first)
  const result = (call_id: string, status: string, text: string) =>
    ({ type: "result", call_id, tool: "bash", status, text }) as const
  await ask(provider, [
    go,
    { role: "assistant", content },
    { role: "tool", content: [result("one", "ok", "A"), result("two", "denied", "denied")] },
  ])

  expect(content).toEqual([
    { type: "text", text: "Both." },
    { type: "call", id: "one", tool: "bash", arguments: '{"command":"a"}' },
    { type: "call", id: "two", tool: "bash", arguments: '{"command":"b"}' },
  ])
  const call = (id: string, command: string) => ({
    id,
    type: "function",
    function: { name: "bash", arguments: JSON.stringify({ command }) },
  })
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      { role: "user", content: "Go." },
      { role: "assistant", content: "Both.", tool_calls: [call("one", "a"), call("two", "b")] },
      { role: "tool", tool_call_id: "one", content: "A" },
      { role: "tool", tool_call_id: "two", content: "denied" },
    ]),
  )
})

test.each([
  ['{"command": "echo', { malformed_arguments: '{"command": "echo' }],
  ['["echo"]', { malformed_arguments: '["echo"]' }],
  ["", {}],
])("arguments %j come as they are and go back as an object", async (text, sentBack) => {
  const { provider, server } = await openProvider([
    { calls: [{ tool: "bash", arguments: text, id: "one" }] },
    { text: "Sorry." },
  ])

  const content = partsOf(await ask(provider, [go]))
  const result = {
    type: "result",
    call_id: "one",
    tool: "bash",
    status: "error",
    text: "no",
  } as const
  await ask(provider, [go, { role: "assistant", content }, { role: "tool", content: [result] }])

  expect(content).toEqual([{ type: "call", id: "one", tool: "bash", arguments: text }])
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "one",
            type: "function",
            function: { name: "bash", arguments: JSON.stringify(sentBack) },
          },
        ],
      },
      { role: "tool", tool_call_id: "one", content: "no" },
    ]),
  )
})

test("reasoning goes back to the provider that gave it, and to no other", async () => {
  const { provider, server } = await openProvider([
    { reasoning: "Let me think.", text: "Yes." },
    { text: "Again yes." },
  ])

  const content = partsOf(await ask(provider, [go]))
  const foreign: Message = {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Foreign.", provider_state: { provider: "other", value: {} } },
    ],
  }
  await ask(provider, [go, foreign, { role: "assistant", content }, go])

  expect(content).toEqual([
    {
      type: "reasoning",
      text: "Let me think.",
      provider_state: { provider: "openai-compatible", value: {} },
    },
    { type: "text", text: "Yes." },
  ])
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      { role: "user", content: "Go." },
      { role: "assistant", content: "Yes.", reasoning_content: "Let me think." },
      { role: "user", content: "Go." },
    ]),
  )
})

test("a cap on the output reaches the wire, and no tools means no `tools`", async () => {
  const { provider, server } = await openProvider([{ text: "Short." }])

  await ask(provider, [go], { maxOutputTokens: 64, tools: [] })

  const { tools: _none, ...body } = wireBody([{ role: "user", content: "Go." }])
  expect(JSON.parse(server.requests[0]?.text ?? "")).toEqual({ ...body, max_tokens: 64 })
})

test("usage that the server leaves out is unknown, not zero", async () => {
  const { provider } = await openProvider([
    { text: "One.", usage: null },
    { text: "Two.", usage: { input: 5, output: 1 } },
  ])

  const usages = []
  for (let n = 0; n < 2; n++) usages.push((await ask(provider, [go])).at(-1))

  const finish = (input_tokens: number | null, output_tokens: number | null) => ({
    type: "finish",
    reason: "stop",
    usage: { input_tokens, cached_input_tokens: null, output_tokens, reasoning_tokens: null },
  })
  expect(usages).toEqual([finish(null, null), finish(5, 1)])
})

test("each step begins with the bytes of the step before, and adds at most 300", async () => {
  const { provider, server } = await openProvider((_request, n) => ({
    calls: [{ tool: "bash", arguments: { command: `echo ok-${n}` }, id: `call_run-t100-${n}` }],
  }))

  const messages: Message[] = [go]
  for (let n = 0; n < 12; n++) {
    const content = partsOf(await ask(provider, messages))
    messages.push({ role: "assistant", content })
    messages.push({
      role: "tool",
      content: [
        {
          type: "result",
          call_id: `call_run-t100-${n}`,
          tool: "bash",
          status: "ok",
          text: `ok-${n}\n[exit 0 · 5 ms]`,
        },
      ],
    })
  }

  const bodies = server.requests.map(request => request.text)
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1]
    if (before === undefined) continue
    const prefix = before.slice(0, before.lastIndexOf('],"tools":'))
    expect(body.startsWith(prefix)).toBe(true)
    expect(body.length - before.length).toBeLessThanOrEqual(300)
  }
})
