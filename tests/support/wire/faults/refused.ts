import { describe, expect, test } from "vitest"
import { type FaultSuite, failedWith, failureOf, key, open } from "./setup.ts"

/** What is told when the server refuses, or is not there. */
export function describeRefusals(suite: FaultSuite): void {
  describe(`${suite.provider.name}, refused`, () => {
    const busy = "The fault is the server's: try again in a while."

    test.each([
      [400, {}, expect.stringContaining("does not take the request"), { retryable: false }],
      [401, {}, expect.stringContaining(`Check ${suite.keyVariable}:`), { retryable: false }],
      [
        429,
        { "retry-after": "3" },
        "Wait 3 s, then ask again.",
        { retryable: true, retry_after_ms: 3_000 },
      ],
      [
        429,
        { "retry-after-ms": "250" },
        "Too many requests: wait a while, then ask again.",
        { retryable: true, retry_after_ms: 250 },
      ],
      [500, {}, busy, { retryable: true }],
      [529, { "retry-after": "2" }, busy, { retryable: true, retry_after_ms: 2_000 }],
      [529, { "x-should-retry": "false" }, busy, { retryable: false }],
    ])(
      "status %i with the headers %j is told with the server's words and what a retry needs",
      async (status, headers, hint, details) => {
        const { server, asked } = await open(
          suite,
          [{ status, headers, message: `No, ${key}.` }],
          0,
        )

        expect(await failureOf(asked)).toEqual(
          failedWith(suite, `HTTP ${status}: No, [secret]`, hint, details),
        )
        expect(server.requests.length).toBe(1)
      },
    )

    test("a prompt that is too long for the model is known as such, and not sent again", async () => {
      const refusal = suite.dialect.tooLong({ tokens: 9_000, window: 8_000 })
      const { server, asked } = await open(suite, [refusal])

      const window = JSON.stringify(refusal).includes("8000") ? 8_000 : null
      expect(await failureOf(asked)).toMatchObject({
        code: "provider_failed",
        next: expect.stringContaining("context_tokens"),
        details: { retryable: false, context_overflow: true, context_tokens: window },
      })
      expect(server.requests.length).toBe(1)
    })

    test("a retry-after that is an HTTP date is counted from now", async () => {
      const date = new Date(Date.now() + 90_000).toUTCString()
      const { asked } = await open(suite, [{ status: 429, headers: { "retry-after": date } }], 0)

      const { details } = await failureOf(asked)

      expect(details.retry_after_ms).toSatisfy(ms => ms > 60_000 && ms <= 90_000)
    })

    test("a server that is away is named, and not waited for", async () => {
      const { server, asked } = await open(suite, [])
      await server.close()

      expect(await failureOf(asked)).toEqual(
        failedWith(
          suite,
          expect.stringContaining("could not be reached (connect ECONNREFUSED"),
          `Check that the server runs and ${suite.urlVariable} is right.`,
          { retryable: false },
        ),
      )
    })
  })
}
