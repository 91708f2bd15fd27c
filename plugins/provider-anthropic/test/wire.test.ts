import type { Message } from "@harness/protocol"
import { expect, test } from "vitest"
import { ask, bash, go, partsOf, result } from "../../../tests/support/wire/conversation.ts"
import { openProvider } from "./open-provider.ts"

const marked = { cache_control: { type: "ephemeral" } }

const wireBody = (messages: object[], more: object = {}) => ({
  model: "claude-sonnet-5",
  max_tokens: 128_000,
  system: [{ type: "text", text: "Be exact.", ...marked }],
  messages,
  tools: [
    {
      name: "bash",
      description: "Runs a command.",
      input_schema: bash.parameters,
      eager_input_streaming: true,
      ...marked,
    },
  ],
  stream: true,
  ...more,
})
const goes = (mark: object = marked) => ({
  role: "user",
  content: [{ type: "text", text: "Go.", ...mark }],
})

test("a plain turn: the whole request and every event", async () => {
  const { asked, server } = await openProvider([
    {
      text: "All is well.",
      pieces: 2,
      usage: { input: 120, output: 30, cached: 80, written: 10, reasoning: 5 },
    },
  ])

  const events = await ask(asked, [go])

  const [request] = server.requests
  expect(request?.body).toEqual(wireBody([goes()]))
  expect({
    method: request?.method,
    path: request?.path,
    key: request?.headers["x-api-key"],
    version: request?.headers["anthropic-version"],
  }).toEqual({
    method: "POST",
    path: "/v1/messages",
    key: "sk-secret-1",
    version: "2023-06-01",
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
        cache_write_input_tokens: 10,
        output_tokens: 30,
        reasoning_tokens: 5,
      },
    },
  ])
})

test("signed and redacted thinking and parallel calls go back as they came, with results", async () => {
  const { asked, server } = await openProvider([
    {
      reasoning: [
        { text: "Let me think.", state: "signature-1" },
        { text: "", state: "hidden-1" },
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

  const state = (value: object) => ({ provider: "anthropic", value: { anthropic: value } })
  expect(content).toEqual([
    {
      type: "reasoning",
      text: "Let me think.",
      provider_state: state({ signature: "signature-1" }),
    },
    { type: "reasoning", text: "", provider_state: state({ redactedData: "hidden-1" }) },
    { type: "text", text: "Both." },
    { type: "call", id: "c1", tool: "bash", arguments: '{"command":"a"}' },
    { type: "call", id: "c2", tool: "bash", arguments: '{"command":"b"}' },
  ])
  const use = (id: string, command: string) => ({
    type: "tool_use",
    id,
    name: "bash",
    input: { command },
  })
  expect(server.requests[1]?.body).toEqual(
    wireBody([
      goes(),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Let me think.", signature: "signature-1" },
          { type: "redacted_thinking", data: "hidden-1" },
          { type: "text", text: "Both." },
          use("c1", "a"),
          use("c2", "b"),
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "A" },
          { type: "tool_result", tool_use_id: "c2", content: "no", is_error: true, ...marked },
        ],
      },
    ]),
  )
})

test("what another provider has said goes on without its state and its reasoning", async () => {
  const { asked, server } = await openProvider([{ text: "Done." }])
  const state = { provider: "openai", value: { anthropic: { signature: "forged" } } }

  await ask(asked, [
    go,
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Mine.", provider_state: state },
        { type: "text", text: "I look.", provider_state: state },
        {
          type: "call",
          id: "call_1",
          tool: "bash",
          arguments: '{"command":"a"}',
          provider_state: state,
        },
      ],
    },
    { role: "tool", content: [result("call_1", "ok", "A")] },
  ])

  expect(server.requests[0]?.body).toEqual(
    wireBody([
      goes(),
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "call_1", name: "bash", input: { command: "a" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: "A", ...marked }],
      },
    ]),
  )
})

test.each([
  ["a cap", {}, 500, { max_tokens: 500 }],
  ["effort", { effort: "high" }, 500, { max_tokens: 500, ...adaptive("high") }],
  ["no effort", { effort: "none" }, 500, { max_tokens: 500, thinking: { type: "disabled" } }],
  [
    "tokens for thinking, of the cap",
    { thinking_tokens: 2_000 },
    5_000,
    { max_tokens: 5_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
  ],
  [
    "tokens for thinking, which would leave no room for an answer",
    { thinking_tokens: 2_000 },
    3_000,
    { max_tokens: 3_000 },
  ],
])("%s: the output's cap is kept", async (_what, config, maxOutputTokens, more) => {
  const { asked, server } = await openProvider([{ text: "Short." }], config)

  await ask(asked, [go], { maxOutputTokens })

  expect(server.requests[0]?.body).toEqual(wireBody([goes()], more))
})

test("the cache is kept for an hour where that is wanted", async () => {
  const { asked, server } = await openProvider([{ text: "Short." }], { cache_ttl: "1h" })

  await ask(asked, [go], { tools: [] })

  const hour = { cache_control: { type: "ephemeral", ttl: "1h" } }
  const { tools: _none, ...body } = wireBody([goes(hour)])
  expect(JSON.parse(server.requests[0]?.text ?? "")).toEqual({
    ...body,
    system: [{ type: "text", text: "Be exact.", ...hour }],
  })
})

test("each step begins with the step before, is marked at its end, and has four marks at most", async () => {
  const { asked, server } = await openProvider((_request, n) => ({
    reasoning: [{ text: "Hm.", state: `signature-${n}` }],
    calls: [{ id: `c${n}`, tool: "bash", arguments: { command: `echo ${n}` } }],
  }))

  const messages: Message[] = [go]
  for (let n = 0; n < 12; n++) {
    messages.push({ role: "assistant", content: partsOf(await ask(asked, messages)) })
    messages.push({ role: "tool", content: [result(`c${n}`, "ok", `${n}`)] })
  }

  const mark = ',"cache_control":{"type":"ephemeral"}'
  const texts = server.requests.map(({ text }) => text)
  expect(texts.map(text => text.split(mark).length - 1)).toEqual([3, ...Array(11).fill(4)])

  const plain = texts.map(text => text.replaceAll(mark, ""))
  for (const [index, text] of plain.entries()) {
    const before = plain[index - 1]
    if (before === undefined) continue
    expect(text.startsWith(before.slice(0, before.lastIndexOf('],"tools":')))).toBe(true)
    // What the step before ended with is marked again: it is where the cache is read.
    const read = texts[index - 1]?.match(/"tool_use_id":"c\d+"(?!.*"tool_use_id")/)?.[0] ?? '"Go."'
    const at = texts[index]?.indexOf(read) ?? -1
    expect(texts[index]?.slice(at).indexOf(mark)).toBeLessThan(60)
  }
})

function adaptive(effort: string): object {
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } }
}
