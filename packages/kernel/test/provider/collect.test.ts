import type { PassingBody } from "@harness/protocol"
import type { ModelEvent, Provider } from "@harness/sdk"
import { expect, test } from "vitest"
import { collect } from "../../src/provider/collect.ts"

const usage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 1,
  reasoning_tokens: null,
}
const request = { model: "one", instructions: "", tools: [], messages: [] }

test("a wait before a reply is passed on, and the time to the first token goes on", async () => {
  let nowMs = 0
  async function* stream(): AsyncGenerator<ModelEvent> {
    nowMs += 10
    yield { type: "waiting", reason: "HTTP 429: Slow down", ms: 2_000.4 }
    yield { type: "waiting", reason: "the connection broke", ms: 0, lost: true }
    nowMs += 2_000
    yield { type: "delta", of: "text", text: "Hi." }
    yield { type: "part", part: { type: "text", text: "Hi." } }
    yield { type: "finish", reason: "stop", usage }
  }
  const provider: Provider = { stream }
  const passed: PassingBody[] = []
  const repeated: boolean[] = []

  const reply = await collect(provider, request, {
    signal: new AbortController().signal,
    now: () => nowMs,
    pass: body => passed.push(body),
    name: "vendor",
    repeat: ({ lost }) => repeated.push(lost),
  })

  expect(repeated).toEqual([false, true])
  expect(passed).toEqual([
    { type: "model_waiting", reason: "HTTP 429: Slow down", ms: 2_000 },
    { type: "model_waiting", reason: "the connection broke", ms: 0 },
    { type: "text_delta", text: "Hi." },
  ])
  expect(reply).toEqual({
    message: { role: "assistant", content: [{ type: "text", text: "Hi." }] },
    finish: "stop",
    usage,
    cost: null,
    durationMs: 2_010,
    firstTokenMs: 2_010,
  })
})
