import { APICallError, type LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { toFailure } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import fc from "fast-check"
import { expect, test } from "vitest"
import { providerOf } from "../src/index.ts"
import { beginRetries } from "../src/retry.ts"
import { finish, request, scriptedModel, textParts } from "./scripted-model.ts"

/** A clock that goes on by what is waited, and by nothing else. */
function stoppedClock() {
  const waits: number[] = []
  let nowMs = 1_000_000
  return {
    waits,
    options: {
      now: () => nowMs,
      random: () => 0.5,
      wait: async (ms: number) => {
        waits.push(ms)
        nowMs += ms
      },
    },
  }
}

function refusal(statusCode: number, responseHeaders: Record<string, string> = {}, body = "") {
  return new APICallError({
    message: "Slow down.",
    url: "http://127.0.0.1/v1",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: body,
  })
}

/** What each try meets: an error is thrown before there is a stream. */
async function asked(tries: readonly (Error | LanguageModelV4StreamPart[])[], withinSeconds = 120) {
  const clock = stoppedClock()
  let n = 0
  const doStream = async () => {
    const next = tries[n++] ?? refusal(503)
    if (next instanceof Error) throw next
    return scriptedModel(next).doStream({ prompt: [] })
  }
  const model = { ...scriptedModel([]), doStream }
  const retry = { withinSeconds, ...clock.options }
  const provider = providerOf(model, { provider: "vendor", retry })

  const events: ModelEvent[] = []
  let failure = null
  try {
    for await (const event of provider.stream(request, new AbortController().signal)) {
      events.push(event)
    }
  } catch (error) {
    failure = toFailure(error)
  }
  return { events, failure, waits: clock.waits, tries: n }
}

const answer = [...textParts("t", "Hi."), finish()]

test("without a word from the server the waits double up to half a minute, within the limit", async () => {
  const { waits, tries, failure } = await asked([])

  expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500, 22_500])
  expect(tries).toBe(10)
  expect(failure).toMatchObject({
    message: "vendor did not answer for scripted-1: HTTP 503: Slow down (the last of 10 tries).",
    details: { retryable: true, retry_after_ms: null, output_begun: false },
  })
})

test("a server that asks for no wait, and is busy again and again, is not asked without one for ever", async () => {
  const { waits, tries } = await asked(Array(500).fill(refusal(503, { "retry-after": "0" })))

  expect(waits).toEqual([0, 0, 0, 6_000, 12_000, 22_500, 22_500, 22_500, 22_500])
  expect(tries).toBe(10)
})

test.each([
  [{ "retry-after": "3" }, "", 3_000],
  [{ "retry-after": "0.25" }, "", 250],
  [{ "retry-after": "3", "retry-after-ms": "1200" }, "", 1_200],
  [{ "retry-after": new Date(1_007_000).toUTCString() }, "", 7_000],
  [{ "retry-after": new Date(1).toUTCString() }, "", 0],
  [{}, '{"error":{"details":[{"retryDelay":"9s"}]}}', 9_000],
  [{ "retry-after": "soon" }, "", 750],
  [{ "retry-after": "-5" }, "", 750],
])("the headers %j with the body %s mean a wait of %i ms", async (headers, body, ms) => {
  const { events, waits } = await asked([refusal(429, headers, body), answer])

  expect(waits).toEqual([ms])
  expect(events).toEqual([
    { type: "waiting", reason: "HTTP 429: Slow down", ms },
    { type: "delta", of: "text", text: "Hi." },
    { type: "part", part: { type: "text", text: "Hi." } },
    expect.objectContaining({ type: "finish" }),
  ])
})

test.each([
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [502, true],
  [529, true],
  [400, false],
  [401, false],
  [404, false],
  [422, false],
  [501, false],
])("status %i is asked again: %s", async (status, again) => {
  const { tries } = await asked([refusal(status), answer])

  expect(tries).toBe(again ? 2 : 1)
})

test("a quota that is used up is not asked again", async () => {
  const body = '{"error":{"code":"insufficient_quota"}}'

  expect(await asked([refusal(429, {}, body), answer])).toMatchObject({
    tries: 1,
    failure: { details: { retryable: false } },
  })
})

test.each([
  ["ECONNRESET", true],
  ["ETIMEDOUT", true],
  ["EAI_AGAIN", true],
  ["ECONNREFUSED", false],
  ["ENOTFOUND", false],
])("a connection that fails with %s is asked again: %s", async (code, again) => {
  const cause = new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })
  const url = "http://127.0.0.1/v1"
  const lost = new APICallError({ message: "no", url, requestBodyValues: {}, cause })

  expect((await asked([lost, answer])).tries).toBe(again ? 2 : 1)
})

test("a stream that ends before any output is asked for again, and not after", async () => {
  const begun: LanguageModelV4StreamPart[] = [{ type: "text-start", id: "t" }]

  expect((await asked([[], answer])).tries).toBe(2)
  expect(await asked([begun, answer])).toMatchObject({
    tries: 1,
    failure: { details: { retryable: true, output_begun: true } },
  })
})

test.each([
  [{ isRetryable: true, message: "busy" }, true],
  [{ isRetryable: false, message: "no", type: "server_error" }, false],
  [{ message: "busy", type: "server_error" }, true],
  [{ message: "busy", code: 503 }, true],
  [{ message: "no", type: "invalid_request_error", code: null }, false],
  ["no", false],
])("an error event %j before any output is asked again: %s", async (error, again) => {
  expect((await asked([[{ type: "error", error }], answer])).tries).toBe(again ? 2 : 1)
})

test("with no time for it nothing is asked again", async () => {
  expect(await asked([refusal(429, { "retry-after": "0" })], 0)).toMatchObject({
    tries: 1,
    waits: [],
  })
})

test("whatever the server wants and chance brings, no wait goes beyond the limit", () => {
  const wanted = fc.array(fc.oneof(fc.constant(null), fc.nat(90_000)), { maxLength: 30 })
  const seconds = fc.double({ min: 0, max: 200, noNaN: true })
  const chance = fc.double({ min: 0, max: 0.999, noNaN: true })

  fc.assert(
    fc.property(wanted, seconds, chance, (asks, withinSeconds, drawn) => {
      let nowMs = 0
      const retries = beginRetries({ withinSeconds, now: () => nowMs, random: () => drawn })
      for (const retryAfterMs of asks) {
        const ms = retries.next({ retryAfterMs })
        if (ms === null) return
        expect(ms).toBeGreaterThanOrEqual(retryAfterMs ?? 500)
        nowMs += ms
        expect(nowMs).toBeLessThan(withinSeconds * 1_000)
      }
    }),
  )
})
