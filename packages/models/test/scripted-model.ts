import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import type { ModelRequest } from "@harness/sdk"

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>

/** A model that streams the given parts; it records what it was called with. */
export function scriptedModel(
  parts: readonly LanguageModelV4StreamPart[],
  options: { endless?: boolean } = {},
): LanguageModelV4 & { calls: LanguageModelV4CallOptions[] } {
  const calls: LanguageModelV4CallOptions[] = []

  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    calls,
    doGenerate: () => Promise.reject(new Error("only streams are asked for")),
    async doStream(call) {
      calls.push(call)
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          if (!options.endless) controller.close()
        },
      })
      return { stream }
    },
  }
}

export function finish(
  unified: Finish["finishReason"]["unified"] = "stop",
  tokens: { input?: number; cached?: number; output?: number; reasoning?: number } = {},
): Finish {
  return {
    type: "finish",
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: {
        total: tokens.input,
        noCache: undefined,
        cacheRead: tokens.cached,
        cacheWrite: undefined,
      },
      outputTokens: { total: tokens.output, text: undefined, reasoning: tokens.reasoning },
    },
  }
}

/** The three parts of a text that comes in one piece. */
export function textParts(id: string, delta: string): LanguageModelV4StreamPart[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ]
}

export const request: ModelRequest = {
  model: "scripted-1",
  instructions: "Be exact.",
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
}
