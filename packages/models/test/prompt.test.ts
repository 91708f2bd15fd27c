import type { Message } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { promptConverter, toolConverter } from "../src/prompt.ts"

const sized = { width: 800, height: 600, bytes: 4_000 }
const state = (provider: string) => ({ provider, value: { vendor: { signature: "s1" } } })

const messages: Message[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Look." },
      { type: "image", evidence: "0".repeat(64), media_type: "image/png", ...sized },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Mine.", provider_state: state("vendor") },
      { type: "reasoning", text: "Theirs.", provider_state: state("other") },
      { type: "reasoning", text: "Nobody's." },
      { type: "text", text: "I look.", provider_state: state("other") },
      {
        type: "call",
        id: "a",
        tool: "look",
        arguments: '{"at": 1}',
        provider_state: state("vendor"),
      },
      { type: "call", id: "b", tool: "look", arguments: "{" },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "result",
        call_id: "a",
        tool: "look",
        status: "ok",
        text: "seen",
        images: [{ type: "image", evidence: "0".repeat(64), media_type: "image/webp", ...sized }],
        actions: [{ action: "look", status: "ok" }],
      },
      { type: "result", call_id: "b", tool: "look", status: "error", text: "not JSON" },
    ],
  },
]

test("a conversation becomes a prompt, with state only for the provider that gave it", async () => {
  const prompt = await promptConverter("vendor")({ instructions: "Be exact.", messages })

  const mine = { providerOptions: { vendor: { signature: "s1" } } }
  expect(prompt).toEqual([
    { role: "system", content: "Be exact." },
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "text", text: "[an image (image/png, 800x600) that this model cannot see]" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Mine.", ...mine },
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "a", toolName: "look", input: { at: 1 }, ...mine },
        {
          type: "tool-call",
          toolCallId: "b",
          toolName: "look",
          input: { malformed_arguments: "{" },
        },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: "look",
          output: {
            type: "text",
            value: "seen\n[an image (image/webp, 800x600) that this model cannot see]",
          },
        },
        {
          type: "tool-result",
          toolCallId: "b",
          toolName: "look",
          output: { type: "error-text", value: "not JSON" },
        },
      ],
    },
  ])
})

test("a message with nothing left for this provider is not sent", async () => {
  const foreign: Message = {
    role: "assistant",
    content: [{ type: "reasoning", text: "Theirs.", provider_state: state("other") }],
  }

  const prompt = await promptConverter("vendor")({ instructions: "", messages: [foreign] })

  expect(prompt).toEqual([{ role: "system", content: "" }])
})

test("a message that was converted is the same object in every later prompt", async () => {
  const toPrompt = promptConverter("vendor")

  const first = await toPrompt({ instructions: "Be exact.", messages: messages.slice(0, 2) })
  const second = await toPrompt({ instructions: "Be exact.", messages })

  expect(second.slice(1, 3).map((message, index) => message === first[index + 1])).toEqual([
    true,
    true,
  ])
})

test("whatever the arguments of a call are, they go back as an object that says the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async text => {
      const content = [{ type: "call", id: "a", tool: "look", arguments: text } as const]
      const [, message] = await promptConverter("vendor")({
        instructions: "",
        messages: [{ role: "assistant", content }],
      })
      const [part] = message?.role === "assistant" ? message.content : []
      const input = part?.type === "tool-call" ? part.input : undefined

      expect(input).toEqual(objectIn(text) ?? { malformed_arguments: text })
    }),
  )
})

test("ids of calls that a provider does not take are replaced, the same in the call and the result", async () => {
  const ids = ["call_1", "functions.look:0", "functions.look:1"]
  const content = ids.map(id => ({ type: "call", id, tool: "look", arguments: "{}" }) as const)
  const results = ids.map(
    call_id => ({ type: "result", call_id, tool: "look", status: "ok", text: "seen" }) as const,
  )

  const [, calls, answers] = await promptConverter("vendor", { callIds: /^[a-z0-9_]{1,64}$/ })({
    instructions: "",
    messages: [
      { role: "assistant", content },
      { role: "tool", content: results },
    ],
  })

  const idsIn = (message: typeof calls) =>
    Array.isArray(message?.content)
      ? message.content.map(part => ("toolCallId" in part ? part.toolCallId : null))
      : []
  expect(idsIn(calls)).toEqual([
    "call_1",
    ...Array(2).fill(expect.stringMatching(/^call_[a-f0-9]{24}$/)),
  ])
  expect(new Set(idsIn(calls)).size).toBe(3)
  expect(idsIn(answers)).toEqual(idsIn(calls))
})

test("tools keep their schema, and are converted once", async () => {
  const toTools = toolConverter()
  const parameters = { type: "object", properties: { at: { type: "string" } } }
  const tools = [{ name: "look", description: "Looks.", parameters }]

  const converted = toTools(tools)

  expect(converted).toEqual([
    { type: "function", name: "look", description: "Looks.", inputSchema: parameters },
  ])
  expect(toTools(tools)).toBe(converted)
})

function objectIn(text: string): object | undefined {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
