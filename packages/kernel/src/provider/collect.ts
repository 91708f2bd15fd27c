import type {
  AssistantMessage,
  AssistantPart,
  FinishReason,
  PassingBody,
  Usage,
} from "@harness/protocol"
import { failure } from "@harness/protocol"
import type { ModelRequest, Provider } from "@harness/sdk"

/** A whole reply of a model: it exists only when the stream came to its finish. */
export type Reply = {
  message: AssistantMessage
  finish: FinishReason
  usage: Usage
  /** USD as the provider itself reported it. */
  cost: number | null
  durationMs: number
  firstTokenMs: number | null
}

/**
 * Makes one request and collects the stream, passing on deltas as they come. Rejects with the
 * provider's failure, or the signal's reason; then nothing of the reply counts.
 */
export async function collect(
  provider: Provider,
  request: ModelRequest,
  options: {
    signal: AbortSignal
    now: () => number
    pass: (body: PassingBody) => void
    name: string
    /** Called before the request is made again; what it throws ends the request. */
    repeat: (last: { lost: boolean }) => void
  },
): Promise<Reply> {
  const { signal, now, pass } = options
  const startedAt = now()
  const content: AssistantPart[] = []
  let firstTokenMs: number | null = null

  for await (const event of provider.stream(request, signal)) {
    if (event.type === "waiting") {
      options.repeat({ lost: event.lost ?? false })
      pass({ type: "model_waiting", reason: event.reason, ms: Math.round(event.ms) })
      continue
    }
    firstTokenMs ??= now() - startedAt
    if (event.type === "part") content.push(event.part)
    else if (event.type === "finish") {
      return {
        message: { role: "assistant", content },
        finish: event.reason,
        usage: event.usage,
        cost: event.cost ?? null,
        durationMs: now() - startedAt,
        firstTokenMs,
      }
    } else if (event.of === "call") {
      pass({ type: "call_delta", call_id: event.id, tool: event.tool, text: event.text })
    } else {
      pass({ type: `${event.of}_delta`, text: event.text })
    }
  }

  signal.throwIfAborted()
  throw failure("provider_failed", {
    provider: options.name,
    model: request.model,
    reason: "its stream ended without a finish",
    hint: "Run the task again; nothing of the unfinished reply was carried out.",
  })
}
