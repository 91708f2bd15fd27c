import {
  AssistantMessage,
  type CallPart,
  isFailure,
  type Message,
  type ResultPart,
  type TextPart,
  type ToolDefinition,
  type Usage,
} from "@harness/protocol"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ModelEvent, ModelRequest, Provider } from "../provider.ts"

/** One message that the model behind the provider must give. */
export type ScenarioMessage = {
  content: readonly (TextPart | CallPart)[]
  usage: Usage
}

/** What the model does: its n-th request in a conversation is answered with the n-th message. */
export type ProviderScenario = {
  messages: readonly ScenarioMessage[]
  /** Waited before each message begins. */
  waitMs: number
}

export type ProviderUnderTest = {
  provider: Provider
  /** The model's name for requests. */
  model: string
  close(): Promise<void>
}

export type ProviderSuite = {
  name: string
  /**
   * Makes the provider, with something behind it that plays the scenario: a server that speaks the
   * vendor's wire format, a recording. A request beyond the last message must fail there.
   */
  open(scenario: ProviderScenario): Promise<ProviderUnderTest>
  /** The wire carries arguments as objects: their spacing is lost, and malformed ones cannot come. */
  objectArguments?: boolean
}

const usage: Usage = {
  input_tokens: 120,
  cached_input_tokens: 20,
  output_tokens: 30,
  reasoning_tokens: 5,
}

const tools: ToolDefinition[] = [
  {
    name: "look",
    description: "Looks at something.",
    parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
  },
]

const sentence = "The parser reads one line at a time, and the last line has no end.\n"
const text: TextPart = { type: "text", text: sentence.repeat(8) }
const call = (id: string, args: string): CallPart => ({
  type: "call",
  id,
  tool: "look",
  arguments: args,
})
const start: Message = { role: "user", content: [{ type: "text", text: "Look around." }] }

/**
 * The contract of a provider, as tests. Call it in a test file of the provider's package.
 *
 * @example
 * describeProvider({ name: "replay", open: async scenario => openRecording(scenario) })
 */
export function describeProvider(suite: ProviderSuite): void {
  const { objectArguments = false } = suite
  const spaced = objectArguments ? '{"at":"the right"}' : '{"at": "the right" }'
  const malformed = call("a", objectArguments ? '{"at":7}' : '{"at": "left')

  const open = async (contents: readonly ScenarioMessage["content"][], waitMs = 0) => {
    const messages = contents.map(content => ({ content, usage }))
    const opened = await suite.open({ messages, waitMs })
    onTestFinished(() => opened.close())
    return opened
  }

  describe(`the provider ${suite.name}`, () => {
    test("streams a text in deltas, then the whole part, then the finish with its usage", async () => {
      const opened = await open([[text]])

      const events = await ask(opened, [start])

      expect(summaryOf(events)).toEqual({
        deltas: { text: text.text },
        content: [text],
        last: { type: "finish", reason: "stop", usage: expect.objectContaining(usage) },
      })
    })

    test("gives the calls of one message in order, with ids and arguments as they came", async () => {
      const calls = [call("a", '{"at":"left"}'), call("b", spaced)]
      const opened = await open([[text, ...calls]])

      const events = await ask(opened, [start])

      expect(summaryOf(events)).toEqual({
        deltas: { text: text.text, a: '{"at":"left"}', b: spaced },
        content: [text, ...calls],
        last: { type: "finish", reason: "tool_calls", usage: expect.objectContaining(usage) },
      })
    })

    test("goes on after results, malformed arguments and denials among them", async () => {
      const denied = call("b", "{}")
      const opened = await open([[malformed], [text, denied], [text]])

      const messages: Message[] = [start]
      const seen: AssistantMessage["content"][] = []
      for (const status of ["error", "denied", "none"]) {
        const events = await ask(opened, messages)
        const { content } = summaryOf(events)
        seen.push(content)
        messages.push(fromLog(events))
        const results = content.filter(part => part.type === "call").map(resultFor(status))
        if (results.length > 0) messages.push({ role: "tool", content: results })
      }

      expect(seen).toEqual([[malformed], [text, denied], [text]])
    })

    test.each([
      ["in words", undefined],
      ["by their bytes", async () => new Uint8Array(70)],
      ["of which nothing is kept any more", async () => null],
    ])("takes the messages and state of another provider, and images %s", async (_how, bytes) => {
      const asked = call("a", "{}")
      const opened = await open([[text, asked], [text]])
      const image = {
        type: "image",
        evidence: "0".repeat(64),
        media_type: "image/png",
        width: 2,
        height: 1,
        bytes: 70,
      } as const
      const state = { provider: "another", value: { another: { signature: "abc", id: "r_1" } } }

      const messages: Message[] = [
        { role: "user", content: [{ type: "text", text: "Look." }, image] },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Let me see.", provider_state: state },
            { ...text, provider_state: state },
            { ...asked, provider_state: state },
          ],
        },
        { role: "tool", content: [{ ...resultFor("error")(asked), images: [image] }] },
      ]
      const request = { ...requestOf(opened, messages), ...(bytes && { image: bytes }) }
      const stream = opened.provider.stream(request, new AbortController().signal)

      const events = await collect(stream)

      expect(summaryOf(events).content).toEqual([text])
    })

    test("leaves the request as it was", async () => {
      const opened = await open([[text]])
      const request = deepFreeze({ ...requestOf(opened, [start]), messages: [start] })

      await collect(opened.provider.stream(request, new AbortController().signal))

      expect(request).toEqual({ ...requestOf(opened, [start]), messages: [start] })
    })

    test("rejects with the signal's reason when it is aborted before the request", async () => {
      const opened = await open([[text]])
      const reason = new Error("stopped before")

      await expect(ask(opened, [start], AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    test("rejects with the signal's reason when it is aborted while the model is waited for", async () => {
      const opened = await open([[text]], 60_000)
      const controller = new AbortController()
      const reason = new Error("stopped while waiting")

      const asked = ask(opened, [start], controller.signal)
      setTimeout(() => controller.abort(reason), 20)

      await expect(asked).rejects.toBe(reason)
    })

    test("rejects with the signal's reason when it is aborted in the middle of the reply", async () => {
      const opened = await open([[text, call("a", '{"at":"left"}')]])
      const controller = new AbortController()
      const reason = new Error("stopped in the middle")

      const events: ModelEvent[] = []
      const reading = (async () => {
        const stream = opened.provider.stream(requestOf(opened, [start]), controller.signal)
        for await (const event of stream) {
          events.push(event)
          controller.abort(reason)
        }
      })()

      await expect(reading).rejects.toBe(reason)
      expect(events.length).toBe(1)
    })

    test("can be left in the middle of a reply and asked again", async () => {
      const opened = await open([[text]])
      const request = requestOf(opened, [start])

      for await (const _event of opened.provider.stream(request, new AbortController().signal)) {
        break
      }

      expect(summaryOf(await ask(opened, [start])).content).toEqual([text])
    })

    test("fails with one of harness's failures when the model gives no reply", async () => {
      const opened = await open([])

      const error = await ask(opened, [start]).catch((thrown: unknown) => thrown)

      expect(isFailure(error)).toBe(true)
    })
  })
}

function requestOf({ model }: ProviderUnderTest, messages: readonly Message[]): ModelRequest {
  return { model, instructions: "Work carefully.", tools, messages }
}

function ask(
  opened: ProviderUnderTest,
  messages: readonly Message[],
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  return collect(opened.provider.stream(requestOf(opened, messages), signal))
}

async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The message that a log would keep, as it is read from there. */
function fromLog(events: readonly ModelEvent[]): Message {
  const content = events.flatMap(event => (event.type === "part" ? [event.part] : []))
  return AssistantMessage.parse(JSON.parse(JSON.stringify({ role: "assistant", content })))
}

/** The deltas joined by what they are of, the content without opaque state, and the last event. */
function summaryOf(events: readonly ModelEvent[]) {
  const deltas: Record<string, string> = {}
  const content: AssistantMessage["content"] = []

  for (const event of events) {
    if (event.type === "part") {
      const { provider_state: _opaque, ...plain } = event.part
      content.push(plain)
    }
    if (event.type !== "delta") continue
    const of = event.of === "call" ? event.id : event.of
    deltas[of] = (deltas[of] ?? "") + event.text
  }

  return { deltas, content, last: events.at(-1) }
}

function resultFor(status: string): (part: CallPart) => ResultPart {
  return ({ id, tool }) => ({
    type: "result",
    call_id: id,
    tool,
    status,
    text: JSON.stringify({ tool, status }),
  })
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
