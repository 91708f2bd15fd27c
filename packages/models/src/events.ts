import type {
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider"
import type { AssistantPart, FinishReason, Usage } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import { stateOf } from "./provider-state.ts"

type StreamPart = LanguageModelV4StreamPart
type Finish = Extract<StreamPart, { type: "finish" }>

/** One part of the message while it is streamed; `done` when nothing more can come. */
type Block = {
  type: "text" | "reasoning" | "call"
  id: string
  tool: string
  text: string
  metadata: SharedV4ProviderMetadata | undefined
  done: boolean
}

/** The stream held something that makes the whole reply void; `cause` is what the provider said. */
export class BrokenStream extends Error {}

/** The stream broke off: the same request can succeed. */
export class CutStream extends BrokenStream {}

/** How far a reply has come. */
export type Progress = {
  /** Some of the model's output has come. */
  begun: boolean
}

/**
 * A model's stream in canonical events. Parts come in the order in which they began. The finish
 * comes last, when the stream has ended and held no error but harmless ones. `progress` is kept.
 *
 * Throws {@link BrokenStream}, the stream's own error, or the signal's reason.
 */
export async function* eventsOf(
  stream: ReadableStream<StreamPart>,
  {
    provider,
    signal,
    progress,
    harmless,
  }: {
    provider: string
    signal: AbortSignal
    progress: Progress
    harmless: (error: unknown) => boolean
  },
): AsyncGenerator<ModelEvent> {
  const blocks: Block[] = []
  let finish: Finish | undefined
  let calls = 0

  for await (const part of partsOf(stream, signal)) {
    if (part.type === "error") {
      if (harmless(part.error)) continue
      throw new BrokenStream("error part", { cause: part.error })
    }
    if (part.type === "finish") finish = part
    progress.begun ||= beginsOutput.test(part.type)

    const delta = take(part, blocks)
    if (delta !== undefined) yield delta

    while (blocks[0]?.done) {
      const whole = partOf(blocks[0], provider)
      blocks.shift()
      if (whole?.type === "call") calls += 1
      if (whole !== undefined) yield { type: "part", part: whole }
    }
  }

  const [unfinished] = blocks
  if (finish === undefined) throw new CutStream("the stream ended without a finish")
  if (unfinished !== undefined) {
    throw new CutStream(`the stream ended in the middle of a ${unfinished.type}`)
  }

  yield { type: "finish", reason: reasonOf(finish, calls), usage: usageOf(finish.usage) }
}

const beginsOutput = /^(?:text|reasoning|tool)-/

async function* partsOf(
  stream: ReadableStream<StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const reader = stream.getReader()
  // Cancelling ends a pending read at once, even for a model that does not watch the signal.
  const cancel = () => {
    reader.cancel(signal.reason).catch(() => {})
  }
  signal.addEventListener("abort", cancel, { once: true })

  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener("abort", cancel)
    cancel()
  }
}

/** Adds a stream part to the blocks; returns the delta to pass on, if it is one. */
function take(part: StreamPart, blocks: Block[]): ModelEvent | undefined {
  switch (part.type) {
    case "text-start":
      blocks.push(block("text", part.id, part.providerMetadata))
      return undefined
    case "reasoning-start":
      blocks.push(block("reasoning", part.id, part.providerMetadata))
      return undefined
    case "tool-input-start":
      blocks.push({ ...block("call", part.id, part.providerMetadata), tool: part.toolName })
      return undefined
    case "text-delta":
      return grow(open(blocks, "text", part.id), part)
    case "reasoning-delta":
      return grow(open(blocks, "reasoning", part.id), part)
    case "tool-input-delta":
      return grow(open(blocks, "call", part.id), part)
    case "text-end":
      end(open(blocks, "text", part.id), part)
      return undefined
    case "reasoning-end":
      end(open(blocks, "reasoning", part.id), part)
      return undefined
    case "tool-call":
      takeCall(part, blocks)
      return undefined
    default:
      return undefined
  }
}

function block(
  type: Block["type"],
  id: string,
  metadata: SharedV4ProviderMetadata | undefined,
): Block {
  return { type, id, tool: "", text: "", metadata, done: false }
}

function open(blocks: Block[], type: Block["type"], id: string): Block {
  const found = blocks.findLast(one => one.type === type && one.id === id && !one.done)
  if (found === undefined) throw new BrokenStream(`the stream went on with a ${type} never begun`)
  return found
}

function grow(
  growing: Block,
  part: { delta: string; providerMetadata?: SharedV4ProviderMetadata },
): ModelEvent | undefined {
  growing.text += part.delta
  growing.metadata = part.providerMetadata ?? growing.metadata

  if (part.delta === "") return undefined
  if (growing.type !== "call") return { type: "delta", of: growing.type, text: part.delta }
  return { type: "delta", of: "call", id: growing.id, tool: growing.tool, text: part.delta }
}

function end(ended: Block, part: { providerMetadata?: SharedV4ProviderMetadata }): void {
  ended.metadata = part.providerMetadata ?? ended.metadata
  ended.done = true
}

/** The whole call counts, not its deltas: some models send no deltas. */
function takeCall(call: LanguageModelV4ToolCall, blocks: Block[]): void {
  if (call.providerExecuted) {
    throw new BrokenStream(`the provider ran ${call.toolName} by itself, which nobody allowed`)
  }

  let found = blocks.find(one => one.type === "call" && one.id === call.toolCallId)
  if (found === undefined) {
    found = block("call", call.toolCallId, undefined)
    blocks.push(found)
  }
  found.tool = call.toolName
  found.text = call.input
  end(found, call)
}

/** Undefined for an empty text, which no provider takes back. */
function partOf(whole: Block, provider: string): AssistantPart | undefined {
  const { type, text, metadata } = whole
  const state = metadata === undefined ? {} : { provider_state: stateOf(metadata, provider) }

  if (type === "call") {
    return { type, id: whole.id, tool: whole.tool, arguments: text, ...state }
  }
  if (text === "" && metadata === undefined) return undefined
  // Reasoning always says whose it is: it goes back to its own provider only.
  if (type === "reasoning") return { type, text, provider_state: stateOf(metadata, provider) }
  return { type, text, ...state }
}

function reasonOf({ finishReason }: Finish, calls: number): FinishReason {
  switch (finishReason.unified) {
    case "error":
      throw new BrokenStream(`the stream was ended by ${finishReason.raw ?? "error"}`)
    case "interrupted":
      throw new CutStream("the stream ended without a finish")
    // Some servers say `stop` after calls, and some `tool_calls` without one.
    case "stop":
      return calls > 0 ? "tool_calls" : "stop"
    case "tool-calls":
      return calls > 0 ? "tool_calls" : "other"
    case "content-filter":
      return "content_filter"
    case "length":
    case "other":
      return finishReason.unified
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    input_tokens: inputTokens.total ?? null,
    cached_input_tokens: inputTokens.cacheRead ?? null,
    ...(inputTokens.cacheWrite !== undefined && {
      cache_write_input_tokens: inputTokens.cacheWrite,
    }),
    output_tokens: outputTokens.total ?? null,
    reasoning_tokens: outputTokens.reasoning ?? null,
  }
}
