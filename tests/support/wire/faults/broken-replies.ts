import { describe, expect, test } from "vitest"
import type { ModelEvent } from "../../../../packages/sdk/src/index.ts"
import { ask, go } from "../conversation.ts"
import type { WireFault } from "../dialect.ts"
import { answer, collect, type FaultSuite, failedWith, failureOf, open } from "./setup.ts"

const again = "Nothing of the unfinished reply was carried out; go on with the task to ask again."

/** What becomes of a reply that breaks after it has begun. */
export function describeBrokenReplies(suite: FaultSuite): void {
  describe(`${suite.provider.name}, in the middle of a reply`, () => {
    const frames = suite.dialect.frames(answer, 0).length
    const middle = Math.ceil((suite.framesBeforeOutput + frames) / 2)
    const lost = { retryable: true, output_begun: true, unbilled: false }

    test("a connection that is cut fails the reply, which is not asked for again", async () => {
      const broken = await brokenReply({ afterFrames: middle, type: "cut" })

      expect(broken.failure).toEqual(
        failedWith(
          suite,
          expect.stringMatching(/connection broke|aborted|terminated/),
          again,
          lost,
        ),
      )
      expect(broken.calls).toEqual([])
      expect(broken.requests).toBe(1)
    })

    test("a stream that ends early fails the reply", async () => {
      const broken = await brokenReply({ afterFrames: middle, type: "end" })

      expect(broken.failure).toEqual(
        failedWith(suite, suite.reasons.endInCall, again, {
          ...lost,
          retryable: expect.any(Boolean),
        }),
      )
      expect(broken.requests).toBe(1)
    })

    test("a reply without its finish fails, although all of it is there", async () => {
      const { asked } = await open(suite, [{ ...answer, finish: null }])

      expect(await failureOf(asked)).toMatchObject({
        details: { reason: suite.reasons.end, output_begun: true },
      })
    })

    test("an error event fails the reply with the server's words", async () => {
      const broken = await brokenReply({ afterFrames: middle, type: "error" })

      expect(broken.failure).toEqual(
        failedWith(suite, "Overloaded", again, { ...lost, retryable: expect.any(Boolean) }),
      )
      expect(broken.requests).toBe(1)
    })

    test("an event that is not JSON fails the reply, although the rest is whole", async () => {
      const broken = await brokenReply({ afterFrames: middle, type: "malformed" })

      expect(broken.failure).toEqual(
        failedWith(suite, expect.stringMatching(suite.reasons.malformed), again, {
          ...lost,
          retryable: false,
        }),
      )
    })

    test("an event that no client knows yet is passed over", async () => {
      const fault: WireFault = { afterFrames: middle, type: "unknown" }
      const { asked } = await open(suite, [{ ...answer, fault }, answer])

      const [first, second] = [await ask(asked, [go]), await ask(asked, [go])]

      expect(first.map(withoutIds)).toEqual(second.map(withoutIds))
    })

    test("an abort closes the connection", async () => {
      const { server, asked } = await open(suite, [
        { ...answer, fault: { afterFrames: middle, type: "hang" } },
      ])
      const controller = new AbortController()
      const reason = new Error("stopped by the user")

      const asking = ask(asked, [go], { signal: controller.signal })
      await expect.poll(() => server.requests.length).toBe(1)
      controller.abort(reason)

      await expect(asking).rejects.toBe(reason)
      await server.requests[0]?.dropped
    })

    async function brokenReply(fault: WireFault) {
      const { server, asked } = await open(suite, [{ ...answer, fault }])
      const events: ModelEvent[] = []
      const failure = await collect(asked, events)
      const calls = events.filter(event => event.type === "part" && event.part.type === "call")
      return { failure, calls, requests: server.requests.length }
    }
  })
}

/** State names the response that it came with. */
function withoutIds(event: ModelEvent): ModelEvent {
  if (event.type !== "part") return event
  const { provider_state: _state, ...part } = event.part
  return { type: "part", part }
}
