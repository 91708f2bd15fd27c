import { expect, test } from "vitest"
import { ask, go } from "../conversation.ts"
import { describeRetries } from "./asked-again.ts"
import { describeBrokenReplies } from "./broken-replies.ts"
import { describeRefusals } from "./refused.ts"
import { call, type FaultSuite, open, textOf } from "./setup.ts"

/** What every provider that asks a server does when the server or the wire misbehaves, as tests. */
export function describeFaults(suite: FaultSuite): void {
  describeRefusals(suite)
  describeRetries(suite)
  describeBrokenReplies(suite)

  test(`${suite.provider.name}: a first byte that takes its time is waited for`, async () => {
    const { asked } = await open(suite, [{ text: "Here.", delayMs: 40, firstByteMs: 40 }])

    expect(textOf(await ask(asked, [go]))).toBe("Here.")
  })

  if (suite.objectArguments !== true) {
    test(`${suite.provider.name}: malformed arguments of a call come as they are`, async () => {
      const { asked } = await open(suite, [{ calls: [{ ...call, arguments: '{"command": "rm' }] }])

      const events = await ask(asked, [go])

      expect(events.flatMap(event => (event.type === "part" ? [event.part] : []))).toMatchObject([
        { type: "call", id: "c1", tool: "bash", arguments: '{"command": "rm' },
      ])
    })
  }

  test(`${suite.provider.name}: a reply that is cut off at the output limit says so`, async () => {
    const { asked } = await open(suite, [{ text: "Half a", finish: "length" }])

    expect((await ask(asked, [go])).at(-1)).toMatchObject({ type: "finish", reason: "length" })
  })
}
