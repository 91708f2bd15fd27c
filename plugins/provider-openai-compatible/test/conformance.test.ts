import { describeProvider, type ScenarioMessage } from "@harness/sdk/testing"
import { type ScriptedReply, startScriptedServer } from "../../../tests/support/scripted-server.ts"
import { openAICompatible } from "../src/index.ts"

describeProvider({
  name: "openai-compatible",

  async open({ messages, waitMs }) {
    const server = await startScriptedServer({
      script: ({ body }) => {
        const given = body.messages.filter(message => message.role === "assistant").length
        const message = messages[given]
        if (message === undefined) throw new Error("the scenario is over")
        return replyOf(message, waitMs)
      },
    })
    const model = "scripted-1"
    const provider = await openAICompatible.create({
      model,
      env: { OPENAI_BASE_URL: server.baseUrl },
      config: { retry_seconds: 0 },
    })
    return { provider, model, close: () => server.close() }
  },
})

function replyOf({ content, usage }: ScenarioMessage, delayMs: number): ScriptedReply {
  const calls = content.flatMap(part =>
    part.type === "call" ? [{ tool: part.tool, arguments: part.arguments, id: part.id }] : [],
  )
  const text = content.map(part => (part.type === "text" ? part.text : "")).join("")

  return {
    text,
    calls,
    pieces: 4,
    delayMs,
    usage: {
      input: usage.input_tokens ?? 0,
      output: usage.output_tokens ?? 0,
      cached: usage.cached_input_tokens ?? 0,
      reasoning: usage.reasoning_tokens ?? 0,
    },
  }
}
