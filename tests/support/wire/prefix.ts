import { expect, onTestFinished, test } from "vitest"
import type { Message } from "../../../packages/protocol/src/index.ts"
import type { ProviderDefinition } from "../../../packages/sdk/src/index.ts"
import { ask, bash, go, partsOf, result } from "./conversation.ts"
import type { Dialect, WireCall } from "./dialect.ts"
import { startWireServer } from "./server.ts"

export type PrefixSuite = {
  provider: ProviderDefinition
  model: string
  dialect: Dialect
  urlVariable: string
  /** The key of a request's body that holds the messages. */
  messagesKey: string
  /** Takes out of a request what moves with its end: the marks of what is to be kept. */
  withoutMarks?: (text: string) => string
}

const steps = 200

/** Each request begins with the bytes of the one before, which is what vendors keep prompts by. */
export function describePrefix(suite: PrefixSuite): void {
  test(`${suite.provider.name}: through ${steps} steps, each request is the one before, and what was added`, async () => {
    const { withoutMarks = text => text } = suite
    const requests = (await requestsOf(suite)).map(withoutMarks).map(text => divided(text, suite))

    expect(requests.length).toBe(steps)
    for (const [index, { upToLast, rest }] of requests.entries()) {
      const before = requests[index - 1]
      if (before === undefined) continue
      // Compared as wholes: of a difference, the assertion shall show where it is, not 60 kB of it.
      expect({ step: index, isPrefix: upToLast.startsWith(before.upToLast), rest }).toEqual({
        step: index,
        isPrefix: true,
        rest: before.rest,
      })
    }

    const growths = requests
      .map(({ upToLast }, index) => upToLast.length - (requests[index - 1]?.upToLast.length ?? 0))
      .slice(1)
    // Steps differ by the digits of their numbers alone.
    const isParallel = (index: number) => index % 10 === 0
    for (const kind of [true, false]) {
      const alike = growths.filter((_growth, index) => isParallel(index) === kind)
      expect(Math.max(...alike) - Math.min(...alike)).toBeLessThan(60)
    }
  })
}

/** The requests of a conversation with calls, some of them side by side, reasoning and texts. */
async function requestsOf({ provider: definition, model, dialect, urlVariable }: PrefixSuite) {
  const server = await startWireServer({
    dialect,
    script: (_request, n) => ({
      reasoning: [{ text: "Hm.", state: `state-${n}` }],
      text: `Step ${n}.`,
      calls: callsOf(n),
    }),
  })
  onTestFinished(() => server.close())
  const env = { [urlVariable]: server.baseUrl }
  const provider = await definition.create({ model, env, config: {} })

  const messages: Message[] = [go]
  for (let n = 0; n < steps; n += 1) {
    const events = await ask({ provider, model }, messages, { conversation: "c0ffee" })
    messages.push({ role: "assistant", content: partsOf(events) })
    const results = callsOf(n).map(({ id }) => result(id, "ok", `Result of ${id}.`))
    messages.push({ role: "tool", content: results })
  }
  return server.requests.map(({ text }) => text)
}

function callsOf(n: number): WireCall[] {
  const ids = n % 10 === 0 ? [`c${n}-1`, `c${n}-2`] : [`c${n}-1`]
  return ids.map(id => ({ id, tool: bash.name, arguments: { command: `echo ${id}` } }))
}

/** A request's text up to the end of its last message, and the rest. */
function divided(text: string, { messagesKey }: PrefixSuite): { upToLast: string; rest: string } {
  const body: unknown = JSON.parse(text)
  const messages = JSON.stringify(
    Object.entries(body ?? {}).find(([key]) => key === messagesKey)?.[1],
  )
  const start = text.indexOf(`"${messagesKey}":${messages}`)
  if (start < 0) throw new Error(`the request has no ${messagesKey} as JSON.stringify writes it`)
  const end = start + messagesKey.length + 3 + messages.length - 1
  return { upToLast: text.slice(0, end), rest: text.slice(end) }
}
