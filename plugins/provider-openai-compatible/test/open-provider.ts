import type { AssistantPart, Message, ToolDefinition } from "@harness/protocol"
import type { ModelEvent, ModelRequest, Provider } from "@harness/sdk"
import { onTestFinished } from "vitest"
import {
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../../../tests/support/scripted-server.ts"
import { openAICompatible } from "../src/index.ts"

export const model = "scripted-1"

export const bash: ToolDefinition = {
  name: "bash",
  description: "Runs a command.",
  parameters: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
}

export const go: Message = { role: "user", content: [{ type: "text", text: "Go." }] }

/** The provider against a server that plays the script; both end with the test. */
export async function openProvider(
  script: Script,
  env: Record<string, string> = {},
): Promise<{ provider: Provider; server: ScriptedServer }> {
  const server = await startScriptedServer({ script })
  onTestFinished(() => server.close())

  const provider = await openAICompatible.create({
    model,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-secret-1", ...env },
    config: { retry_seconds: 0 },
  })
  return { provider, server }
}

function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}) {
  return { model, instructions: "Be exact.", tools: [bash], messages, ...more }
}

/** All events of one request. */
export async function ask(
  provider: Provider,
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream(requestOf(messages, more), signal)) events.push(event)
  return events
}

export function partsOf(events: readonly ModelEvent[]): AssistantPart[] {
  return events.flatMap(event => (event.type === "part" ? [event.part] : []))
}
