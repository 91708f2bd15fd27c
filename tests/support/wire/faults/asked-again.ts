import { describe, expect, test } from "vitest"
import { ask, go } from "../conversation.ts"
import type { WireFault } from "../dialect.ts"
import { answer, type FaultSuite, failureOf, open, textOf } from "./setup.ts"

/** What is asked again, and what is not. */
export function describeRetries(suite: FaultSuite): void {
  describe(`${suite.provider.name}, asked again`, () => {
    const later = (ms: string) => ({
      status: 429,
      message: "Slow down.",
      headers: { "retry-after-ms": ms },
    })

    test("a busy server is asked again with the same request, after the wait it wants", async () => {
      const { server, asked } = await open(suite, [later("30"), later("20"), { text: "Now." }])

      const events = await ask(asked, [go])

      expect(events.filter(event => event.type === "waiting")).toEqual([
        { type: "waiting", reason: "HTTP 429: Slow down", ms: 30 },
        { type: "waiting", reason: "HTTP 429: Slow down", ms: 20 },
      ])
      expect(textOf(events)).toBe("Now.")
      expect(server.requests.map(request => request.text)).toEqual(
        Array.from({ length: 3 }, () => server.requests[0]?.text),
      )
      const [first, second] = server.requests
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(25)
    })

    test("a stream that is cut before any output is asked for again", async () => {
      const cut: WireFault = { afterFrames: suite.framesBeforeOutput, type: "cut" }
      const { server, asked } = await open(suite, [{ ...answer, fault: cut }, { text: "Now." }])

      const events = await ask(asked, [go])

      expect(events.filter(event => event.type === "waiting")).toMatchObject([{ lost: true }])
      expect(textOf(events)).toBe("Now.")
      expect(server.requests.length).toBe(2)
    })

    test("a connection that is lost before any answer is asked for again, once as lost", async () => {
      const { server, asked } = await open(suite, [{ drop: true }, { text: "Now." }])

      const events = await ask(asked, [go])

      expect(events.filter(event => event.type === "waiting")).toEqual([
        {
          type: "waiting",
          reason: expect.stringContaining("could not be reached"),
          ms: expect.toSatisfy((ms: number) => ms >= 500 && ms <= 1_000),
          lost: true,
        },
      ])
      expect(textOf(events)).toBe("Now.")
      expect(server.requests.length).toBe(2)
    })

    test("a kept connection that is lost is replaced at once, and that too is told as lost", async () => {
      const script = [{ text: "One." }, { drop: true as const }, { text: "Two." }]
      const { server, asked } = await open(suite, script)

      await ask(asked, [go])
      const events = await ask(asked, [go])

      expect(events.filter(event => event.type === "waiting")).toMatchObject([
        { ms: 0, lost: true },
      ])
      expect(textOf(events)).toBe("Two.")
      expect(server.requests.length).toBe(3)
    })

    test.each([408, 425, 500, 503, 504, 529])(
      "status %i is asked for again, and cannot have been billed",
      async status => {
        const refused = { ...later("5"), status, message: "No." }
        const { server, asked } = await open(suite, [refused, { text: "Now." }])

        const events = await ask(asked, [go])

        expect(events.filter(event => event.type === "waiting")).toEqual([
          { type: "waiting", reason: `HTTP ${status}: No`, ms: 5 },
        ])
        expect(textOf(events)).toBe("Now.")
        expect(server.requests.length).toBe(2)
      },
    )

    test("an error event before any output is asked again", async () => {
      const error: WireFault = { afterFrames: suite.framesBeforeOutput, type: "error" }
      const { asked } = await open(suite, [{ ...answer, fault: error }, { text: "Now." }])

      const events = await ask(asked, [go])

      expect(events.find(event => event.type === "waiting")).toMatchObject({
        reason: expect.stringContaining("Overloaded"),
      })
      expect(textOf(events)).toBe("Now.")
    })

    test("a wait beyond the limit is not begun: the failure says how long it would be", async () => {
      const { server, asked } = await open(suite, [{ ...later("3600000") }])

      expect(await failureOf(asked)).toMatchObject({
        details: { retryable: true, retry_after_ms: 3_600_000, output_begun: false },
      })
      expect(server.requests.length).toBe(1)
    })

    test("an abort ends the wait at once", async () => {
      const { server, asked } = await open(suite, [later("60000")])
      const controller = new AbortController()
      const reason = new Error("stopped by the user")
      const stream = asked.provider.stream(
        { model: suite.model, instructions: "", tools: [], messages: [go] },
        controller.signal,
      )

      let abortedAt = 0
      const reading = (async () => {
        for await (const event of stream) {
          if (event.type !== "waiting") continue
          abortedAt = performance.now()
          setTimeout(() => controller.abort(reason), 5)
        }
      })()

      await expect(reading).rejects.toBe(reason)
      expect(performance.now() - abortedAt).toBeLessThan(5_000)
      expect(server.requests.length).toBe(1)
    })
  })
}
