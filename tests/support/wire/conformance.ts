import type { ProviderDefinition } from "../../../packages/sdk/src/index.ts"
import type { ProviderSuite, ScenarioMessage } from "../../../packages/sdk/src/testing/index.ts"
import type { Dialect, WireAnswer } from "./dialect.ts"
import { startWireServer } from "./server.ts"

/** The suite of the sdk for a provider that asks a server. */
export function wireSuite(options: {
  provider: ProviderDefinition
  model: string
  dialect: Dialect
  urlVariable: string
  objectArguments?: boolean
}): ProviderSuite {
  const { provider: definition, model, dialect, urlVariable } = options

  return {
    name: definition.name,
    ...(options.objectArguments !== undefined && { objectArguments: options.objectArguments }),

    async open({ messages, waitMs }) {
      const server = await startWireServer({
        dialect,
        script: ({ body }) => {
          const message = messages[dialect.modelTurns(body)]
          if (message === undefined) throw new Error("the scenario is over")
          return answerOf(message, waitMs)
        },
      })
      const env = { [urlVariable]: server.baseUrl }
      const provider = await definition.create({ model, env, config: {} })
      return { provider, model, close: () => server.close() }
    },
  }
}

function answerOf({ content, usage }: ScenarioMessage, delayMs: number): WireAnswer {
  const calls = content.flatMap(part =>
    part.type === "call" ? [{ id: part.id, tool: part.tool, arguments: part.arguments }] : [],
  )
  return {
    text: content.map(part => (part.type === "text" ? part.text : "")).join(""),
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
