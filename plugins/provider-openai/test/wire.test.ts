import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { ask, bash, go, partsOf, result } from "../../../tests/support/wire/conversation.ts"
import { openProvider } from "./open-provider.ts"

const wireBody = (input: object[], more: object = {}) => ({
  model: "gpt-5.2",
  input: [
    { role: "developer", content: "Be exact." },
    { role: "user", content: [{ type: "input_text", text: "Go." }] },
    ...input,
  ],
  store: false,
  include: ["reasoning.encrypted_content"],
  tools: [
    {
      type: "function",
      name: "bash",
      description: "Runs a command.",
      parameters: bash.parameters,
      strict: false,
    },
  ],
  stream: true,
  ...more,
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
    authorization: request?.headers.authorization,
  }).toEqual({ method: "POST", path: "/v1/responses", authorization: "Bearer sk-secret-1" })
  const state = { provider: "openai", value: { openai: { itemId: "msg_0" } } }
  expect(events).toEqual([
    { type: "delta", of: "text", text: "All is" },
    { type: "delta", of: "text", text: " well." },
    { type: "part", part: { type: "text", text: "All is well.", provider_state: state } },
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

test("encrypted reasoning and parallel calls go back as they came, with results", async () => {
  const { asked, server } = await openProvider([
    {
      reasoning: [
        { text: "Let me think.", state: "encrypted-1" },
        { text: "", state: "encrypted-2" },
      ],
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

  const state = (itemId: string, more: object = {}) => ({
    provider_state: { provider: "openai", value: { openai: { itemId, ...more } } },
  })
  const encrypted = (id: string, reasoningEncryptedContent: string) =>
    state(id, { reasoningEncryptedContent })
  expect(content).toEqual([
    { type: "reasoning", text: "Let me think.", ...encrypted("rs_0_0", "encrypted-1") },
    { type: "reasoning", text: "", ...encrypted("rs_0_1", "encrypted-2") },
    { type: "text", text: "Both.", ...state("msg_0") },
    { type: "call", id: "c1", tool: "bash", arguments: '{"command":"a"}', ...state("fc_0_0") },
    { type: "call", id: "c2", tool: "bash", arguments: '{"command":"b"}', ...state("fc_0_1") },
  ])
  const call = (call_id: string, command: string) => ({
    type: "function_call",
    call_id,
    name: "bash",
    arguments: JSON.stringify({ command }),
  })
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      {
        type: "reasoning",
        id: "rs_0_0",
        encrypted_content: "encrypted-1",
        summary: [{ type: "summary_text", text: "Let me think." }],
      },
      { type: "reasoning", id: "rs_0_1", encrypted_content: "encrypted-2", summary: [] },
      { role: "assistant", content: "Both." },
      call("c1", "a"),
      call("c2", "b"),
      { type: "function_call_output", call_id: "c1", output: "A" },
      { type: "function_call_output", call_id: "c2", output: '{"error":"no"}' },
    ]),
  )
})

test("what another provider has said goes on without its state and its reasoning", async () => {
  const { asked, server } = await openProvider([{ text: "Done." }])
  const forged = { openai: { itemId: "rs_1", reasoningEncryptedContent: "forged" } }
  const state = { provider: "anthropic", value: forged }

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
      { role: "assistant", content: "I look." },
      {
        type: "function_call",
        call_id: "toolu_1",
        name: "bash",
        arguments: '{"command":"a"}',
      },
      { type: "function_call_output", call_id: "toolu_1", output: "A" },
    ]),
  )
})

test.each([
  ["a cap", {}, { max_output_tokens: 500 }],
  [
    "effort",
    { effort: "high" },
    { max_output_tokens: 500, reasoning: { effort: "high", summary: "detailed" } },
  ],
])("%s reaches the wire", async (_what, config, more) => {
  const { asked, server } = await openProvider([{ text: "Short." }], config)

  await ask(asked, [go], { maxOutputTokens: 500 })

  expect(server.requests[0]?.body).toEqual(wireBody([], more))
})

test("a model that does not reason is not asked for encrypted reasoning, unless it is said to", async () => {
  const include = async (model: string, config: Record<string, boolean>) => {
    const { asked, server } = await openProvider([{ text: "Short." }], config, model)
    await ask(asked, [go])
    const { include = null } = JSON.parse(server.requests[0]?.text ?? "{}")
    return include
  }

  expect(await include("gpt-4.1", {})).toBeNull()
  expect(await include("house-model", { reasoning: true })).toEqual(["reasoning.encrypted_content"])
})

test("the organisation and the project are named in the headers", async () => {
  const config = { organization: "org-1", project: "proj-1" }
  const { asked, server } = await openProvider([{ text: "Short." }], config)

  await ask(asked, [go])

  expect(server.requests[0]?.headers).toMatchObject({
    "openai-organization": "org-1",
    "openai-project": "proj-1",
  })
})

test("each step begins with the bytes of the step before", async () => {
  const { asked, server } = await openProvider((_request, n) => ({
    reasoning: [{ text: "Hm.", state: `encrypted-${n}` }],
    calls: [{ id: `c${n}`, tool: "bash", arguments: { command: `echo ${n}` } }],
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
    expect(text.startsWith(before.slice(0, before.lastIndexOf('],"store":')))).toBe(true)
  }
})
