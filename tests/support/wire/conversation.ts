import type {
  AssistantPart,
  Message,
  ResultPart,
  ToolDefinition,
} from "../../../packages/protocol/src/index.ts"
import type { ModelEvent, ModelRequest, Provider } from "../../../packages/sdk/src/index.ts"

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

/** A provider, and the model's name for requests. */
export type Asked = { provider: Provider; model: string }

/** All events of one request. */
export async function ask(
  { provider, model }: Asked,
  messages: readonly Message[],
  more: Partial<ModelRequest> & { signal?: AbortSignal } = {},
): Promise<ModelEvent[]> {
  const { signal = new AbortController().signal, ...rest } = more
  const request = { model, instructions: "Be exact.", tools: [bash], messages, ...rest }

  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, signal)) events.push(event)
  return events
}

export function partsOf(events: readonly ModelEvent[]): AssistantPart[] {
  return events.flatMap(event => (event.type === "part" ? [event.part] : []))
}

export function result(call_id: string, status: string, text: string): ResultPart {
  return { type: "result", call_id, tool: "bash", status, text }
}
