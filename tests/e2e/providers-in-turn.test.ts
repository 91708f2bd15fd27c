// One conversation that goes from vendor to vendor, as its log would keep it.
import { expect, onTestFinished, test } from "vitest"
import { Message } from "../../packages/protocol/src/index.ts"
import type { ProviderDefinition } from "../../packages/sdk/src/index.ts"
import { anthropic } from "../../plugins/provider-anthropic/src/index.ts"
import { google } from "../../plugins/provider-google/src/index.ts"
import { openai } from "../../plugins/provider-openai/src/index.ts"
import { openAICompatible } from "../../plugins/provider-openai-compatible/src/index.ts"
import { anthropicMessages } from "../support/wire/anthropic-messages.ts"
import { ask, go, partsOf, result } from "../support/wire/conversation.ts"
import type { Dialect } from "../support/wire/dialect.ts"
import { gemini } from "../support/wire/gemini.ts"
import { openaiChat } from "../support/wire/openai-chat.ts"
import { openaiResponses } from "../support/wire/openai-responses.ts"
import { startWireServer, type WireServer } from "../support/wire/server.ts"

const vendors = [
  await vendor(anthropic, anthropicMessages, "claude-sonnet-5", "ANTHROPIC_BASE_URL"),
  await vendor(openai, openaiResponses, "gpt-5.2", "OPENAI_BASE_URL"),
  await vendor(google, gemini, "gemini-3-pro-preview", "GOOGLE_GENERATIVE_AI_BASE_URL"),
  await vendor(openAICompatible, openaiChat, "qwen3-coder", "OPENAI_BASE_URL"),
]

async function vendor(
  definition: ProviderDefinition,
  dialect: Dialect,
  model: string,
  urlVariable: string,
) {
  const open = async () => {
    const server: WireServer = await startWireServer({
      dialect,
      script: (_request, n) => {
        const id = `${definition.name}-${n}`
        return {
          reasoning: [{ text: `Thought of ${id}.`, state: `state-of-${id}` }],
          text: `Said by ${id}.`,
          calls: [{ id: `call-${id}`, tool: "bash", arguments: { command: `echo ${id}` } }],
        }
      },
    })
    onTestFinished(() => server.close())
    const env = { [urlVariable]: server.baseUrl }
    return { server, provider: await definition.create({ model, env, config: {} }), model }
  }
  return { name: definition.name, open }
}

test("each vendor gets the whole conversation, its own state, and nobody else's", async () => {
  const opened = await Promise.all(
    vendors.map(async ({ name, open }) => ({ name, ...(await open()) })),
  )

  const messages: Message[] = [go]
  for (const round of [0, 1]) {
    for (const { name, provider, model } of opened) {
      const content = partsOf(await ask({ provider, model }, messages))
      const output = result(`call-${name}-${round}`, "ok", `Output for ${name}-${round}.`)
      const added = [
        { role: "assistant", content },
        { role: "tool", content: [output] },
      ]
      messages.push(...added.map(message => Message.parse(JSON.parse(JSON.stringify(message)))))
    }
  }

  const said = /(?:Said by|Output for|Thought of|state-of-?)[ -]?([a-z-]+-\d)/g
  for (const [index, { name, server }] of opened.entries()) {
    const before = opened.map(each => each.name)
    const heard = [...before.map(each => `${each}-0`), ...before.slice(0, index).map(n => `${n}-1`)]
    const text = server.requests[1]?.text ?? ""
    const kinds = (word: string) =>
      [...text.matchAll(said)].flatMap(([whole, who]) => (whole.startsWith(word) ? [who] : []))

    expect({ name, said: kinds("Said"), outputs: kinds("Output") }).toEqual({
      name,
      said: heard,
      outputs: heard,
    })
    expect(kinds("Thought")).toEqual([`${name}-0`])
    // Chat completions take the reasoning itself back, and have no state beside it.
    expect(kinds("state")).toEqual(name === "openai-compatible" ? [] : [`${name}-0`])
  }
})
