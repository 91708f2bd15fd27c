import type { ConversationEvent, Price } from "@harness/protocol"
import type { ModelEvent, Provider } from "@harness/sdk"
import type { Recorder } from "../../src/loop/recorder.ts"
import type { Model } from "../../src/provider/resolve.ts"

/**
 * A model that yields these events, and a recorder that keeps nothing. An error is thrown where it
 * stands; with `stop` the model is interrupted after them.
 */
export function openProvider(
  events: readonly (ModelEvent | Error)[],
  { price, stop }: { price: Price; stop: AbortController | undefined },
): { model: Model; recorder: Recorder } {
  const provider: Provider = {
    async *stream(_request, signal) {
      for (const event of events) {
        if (event instanceof Error) throw event
        yield event
      }
      stop?.abort("interrupted")
      signal.throwIfAborted()
    },
  }
  const model: Model = {
    provider,
    providerName: "one",
    name: "m",
    id: "one/m",
    price,
    contextTokens: undefined,
    outputTokens: undefined,
    maxOutputTokens: undefined,
    images: undefined,
    notices: [],
  }
  const passed: Partial<ConversationEvent>[] = []
  const recorder: Recorder = {
    record: () => {},
    recordAll: () => {},
    pass: body => passed.push(body),
  }
  return { model, recorder }
}
