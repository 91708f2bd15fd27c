import type { Message, ResultPart } from "@harness/protocol"
import { toFailure } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { replay } from "../src/index.ts"

const header = { recording: 1, model: "recorded-1" }
const usage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 1,
  reasoning_tokens: null,
}
const callMessage = {
  role: "assistant",
  content: [{ type: "call", id: "c1", tool: "bash", arguments: '{"command":"npm test"}' }],
} as const
const answer = { role: "assistant", content: [{ type: "text", text: "Fixed." }] } as const
const go: Message = { role: "user", content: [{ type: "text", text: "Go." }] }

const failingTest = { action: "run_command", status: "ok", exit_code: 1 }
const lines = [
  { expect: [], message: callMessage, usage, finish: "tool_calls" },
  { expect: [{ status: "ok", actions: [failingTest] }], message: answer, usage, finish: "stop" },
]

async function open(content: string | readonly object[], name = "recording.jsonl") {
  const text =
    typeof content === "string" ? content : content.map(line => JSON.stringify(line)).join("\n")
  const folder = await temporaryFolder({ [name]: text })
  onTestFinished(() => folder.remove())

  const path = folder.at(name)
  return { path, provider: await replay.create({ model: path, env: {}, config: {} }) }
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  )
  return toFailure(error)
}

async function secondMessage(results: readonly Partial<ResultPart>[]) {
  const { path, provider } = await open([header, ...lines])
  const content = results.map(
    (result): ResultPart => ({
      type: "result",
      call_id: "c1",
      tool: "bash",
      status: "ok",
      text: "",
      ...result,
    }),
  )
  const messages: Message[] = [go, { ...callMessage, content: [...callMessage.content] }]
  if (content.length > 0) messages.push({ role: "tool", content })
  return { path, asked: ask(provider.stream(requestOf(messages), new AbortController().signal)) }
}

function requestOf(messages: readonly Message[]) {
  return { model: "", instructions: "", tools: [], messages }
}

/** The recording's file and its folder: what is said of it names no place in full. */
function shortName(path: string): string {
  return path.split("/").slice(-2).join("/")
}

async function ask(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

test("says that recorded messages are replayed, whose they are, and what they cost", async () => {
  const price = { input: 3, output: 15 }
  const { provider } = await open([{ ...header, price }, ...lines])

  const { notice, price: known, modelName } = provider
  expect({ notice, price: known, modelName }).toEqual({
    modelName: "recorded-1",
    notice:
      "Replaying 2 recorded messages of recorded-1: no model is asked, everything else is real.",
    price,
  })
})

test("gives the next message when the results are as recorded", async () => {
  const { asked } = await secondMessage([{ status: "ok", actions: [failingTest] }])

  expect(await asked).toEqual([
    { type: "delta", of: "text", text: "Fixed." },
    { type: "part", part: { type: "text", text: "Fixed." } },
    { type: "finish", reason: "stop", usage },
  ])
})

test.each<[string, Partial<ResultPart>[], string, string]>([
  ["no result", [], "1 result", "0 results"],
  ["two results", [{}, {}], "1 result", "2 results"],
  [
    "another status",
    [{ status: "error", text: "boom\nat line 3" }],
    "in result 1 (bash) the status ok",
    "error: boom",
  ],
  [
    "another exit code",
    [{ actions: [{ ...failingTest, exit_code: 0 }] }],
    "in result 1 (bash) action 1 to be run_command ok with exit code 1",
    "run_command ok with exit code 0",
  ],
  [
    "another action",
    [{ actions: [{ action: "read_file", status: "ok" }] }],
    "in result 1 (bash) action 1 to be run_command ok with exit code 1",
    "read_file ok",
  ],
  [
    "an action less",
    [{ actions: [] }],
    "in result 1 (bash) action 1 to be run_command ok with exit code 1",
    "no further action",
  ],
  [
    "an action more",
    [{ actions: [failingTest, { action: "write_file", status: "denied" }] }],
    "in result 1 (bash) action 2 to be none",
    "write_file denied",
  ],
])("with %s it ends with the first difference", async (_what, results, expected, found) => {
  const { path, asked } = await secondMessage(results)

  expect(await failureOf(asked)).toEqual({
    code: "replay_diverged",
    message: `The recording ${shortName(path)} expected ${expected} before its message 2, but got ${found}.`,
    next: "Look at the result above: the project or harness does not behave as when it was recorded.",
    exit: 1,
    details: { recording: shortName(path), expected, found, message: 2 },
  })
})

test("a result without recorded actions may have any", async () => {
  const { provider } = await open([
    header,
    lines[0] ?? {},
    { ...lines[1], expect: [{ status: "ok" }] },
  ])
  const result: ResultPart = {
    type: "result",
    call_id: "c1",
    tool: "bash",
    status: "ok",
    text: "",
    actions: [failingTest, failingTest],
  }
  const messages: Message[] = [
    go,
    { ...callMessage, content: [...callMessage.content] },
    { role: "tool", content: [result] },
  ]

  const events = await ask(provider.stream(requestOf(messages), new AbortController().signal))

  expect(events.length).toBe(3)
})

test("a request after the last message diverges", async () => {
  const { path, provider } = await open([header])

  const asked = ask(provider.stream(requestOf([go]), new AbortController().signal))

  expect((await failureOf(asked)).message).toBe(
    `The recording ${shortName(path)} expected no request after its 0 messages before its message 1, but got one more request.`,
  )
})

test.each([
  ["", "it is empty"],
  ["{", "line 1 is not JSON"],
  ['{"recording":2,"model":"m"}', "line 1: recording: Invalid input: expected 1"],
  [`${JSON.stringify(header)}\n\n{"expect":[]}`, "line 3: message: Invalid input: expected object"],
  [
    [header, lines[1]].map(line => JSON.stringify(line)).join("\n"),
    "line 2: it expects 1 results of 0 calls",
  ],
])("the recording %j cannot be played: %s", async (text, reason) => {
  const { code, message } = await failureOf(open(text))

  expect({ code, message }).toEqual({
    code: "replay_invalid",
    message: expect.stringContaining(`cannot be played: ${reason}`),
  })
})

test("a recording that does not exist is named", async () => {
  const model = "/nowhere/recording.jsonl"

  expect(await failureOf(replay.create({ model, env: {}, config: {} }))).toMatchObject({
    code: "replay_invalid",
    message: `The recording ${model} cannot be played: there is no such file.`,
    exit: 2,
  })
})

test("a long text comes in deltas that never cut a character", async () => {
  const text = "𝒳".repeat(100)
  const long = { ...lines[0], message: { role: "assistant", content: [{ type: "text", text }] } }
  const { provider } = await open([header, { ...long, finish: "stop" }])

  const events = await ask(provider.stream(requestOf([go]), new AbortController().signal))

  const deltas = events.flatMap(event => (event.type === "delta" ? [event.text] : []))
  expect(deltas).toEqual(["𝒳".repeat(40), "𝒳".repeat(40), "𝒳".repeat(20)])
})
