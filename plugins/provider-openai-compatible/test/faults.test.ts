import { type Failure, toFailure } from "@harness/protocol"
import type { ModelEvent } from "@harness/sdk"
import { expect, test } from "vitest"
import type { Script } from "../../../tests/support/scripted-server.ts"
import { openAICompatible } from "../src/index.ts"
import { ask, go, model, openProvider } from "./open-provider.ts"

const again = "Nothing of the unfinished reply was carried out; go on with the task to ask again."

/** What a request to the scripted server fails with; the port is replaced by PORT. */
async function failureOf(script: Script): Promise<Failure> {
  const { provider, server } = await openProvider(script)
  const { port } = new URL(server.baseUrl)
  const error = await ask(provider, [go]).then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  )
  return JSON.parse(JSON.stringify(toFailure(error)).replaceAll(port, "PORT"))
}

function providerFailed(reason: string, hint: string): Failure {
  return {
    code: "provider_failed",
    message: `openai-compatible did not answer for ${model}: ${reason}.`,
    next: hint,
    exit: 1,
    details: { provider: "openai-compatible", model, reason, hint },
  }
}

const error = (message: string) => ({ error: { message, type: "some_error" } })

test.each([
  [
    400,
    error("This model's maximum context length is 8192 tokens."),
    "HTTP 400: This model's maximum context length is 8192 tokens",
    "The server does not take the request as it is: see what it says, and whether the model can use tools.",
  ],
  [
    401,
    error("Incorrect API key provided: sk-secret-1."),
    "HTTP 401: Incorrect API key provided: [secret]",
    "Check OPENAI_API_KEY: the server does not accept it for this model.",
  ],
  [
    402,
    error("Insufficient credits"),
    "HTTP 402: Insufficient credits",
    "Check the account's credit with the provider.",
  ],
  [
    404,
    { error: 'model "scripted-1" not found, try pulling it first' },
    'HTTP 404: model "scripted-1" not found, try pulling it first',
    "Check the model's name (scripted-1) and http://127.0.0.1:PORT/v1/chat/completions.",
  ],
  [
    422,
    { object: "error", message: "no tool parser", code: 422 },
    "HTTP 422: no tool parser",
    "The server does not take the request as it is: see what it says, and whether the model can use tools.",
  ],
  [
    500,
    "<html>oops</html>",
    "HTTP 500: Internal Server Error",
    "The fault is the server's: try again in a while.",
  ],
  [
    529,
    error("Overloaded"),
    "HTTP 529: Overloaded",
    "The fault is the server's: try again in a while.",
  ],
])(
  "status %i is told with the server's words and what to do",
  async (status, body, reason, hint) => {
    expect(await failureOf([{ status, body }])).toEqual(providerFailed(reason, hint))
  },
)

test.each([
  [{}, "Too many requests: wait a while, then ask again."],
  [{ "retry-after": "7" }, "Wait 7 s, then ask again."],
  [
    { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" },
    "Wait until Wed, 21 Oct 2026 07:28:00 GMT, then ask again.",
  ],
])("status 429 with the headers %j says how long to wait", async (headers, hint) => {
  expect(await failureOf([{ status: 429, body: error("Slow down"), headers }])).toEqual(
    providerFailed("HTTP 429: Slow down", hint),
  )
})

test("a request that failed is not repeated", async () => {
  const { provider, server } = await openProvider([{ status: 429, body: error("Slow down") }])

  await expect(ask(provider, [go])).rejects.toThrow("Slow down")

  expect(server.requests.length).toBe(1)
})

test("a chunk that is not JSON fails the reply, although the rest of it is whole", async () => {
  const { message, next } = await failureOf([
    { text: "Hello there.", pieces: 3, fault: { afterChunks: 2, type: "malformed" } },
  ])

  expect(message).toContain("JSON parsing failed")
  expect(next).toBe(again)
})

test("a connection that is cut in the middle of a call yields no call", async () => {
  const { provider } = await openProvider([
    {
      calls: [{ tool: "bash", arguments: { command: "rm -r build" } }],
      pieces: 4,
      gapMs: 5,
      fault: { afterChunks: 3, type: "cut" },
    },
  ])

  const events: ModelEvent[] = []
  const reading = (async () => {
    const signal = new AbortController().signal
    const request = { model, instructions: "", tools: [], messages: [go] }
    for await (const event of provider.stream(request, signal)) events.push(event)
  })()

  await expect(reading).rejects.toMatchObject({
    code: "provider_failed",
    message: expect.stringContaining("the connection broke in the reply"),
    next: again,
  })
  expect(events.filter(event => event.type !== "delta")).toEqual([])
})

test("a stream that ends early in the middle of a call fails the reply", async () => {
  expect(
    await failureOf([
      {
        calls: [{ tool: "bash", arguments: { command: "rm -r build" } }],
        pieces: 4,
        fault: { afterChunks: 3, type: "end" },
      },
    ]),
  ).toEqual(providerFailed("Response stream ended without a finish reason", again))
})

test("a reply whose finish reason never came fails, although its text is whole", async () => {
  expect(await failureOf([{ text: "Hello.", finish: null }])).toEqual(
    providerFailed("Response stream ended without a finish reason", again),
  )
})

test("an error inside the stream fails the reply with the server's words", async () => {
  expect(
    await failureOf([
      { text: "Hello.", fault: { afterChunks: 2, type: { error: { message: "Overloaded." } } } },
    ]),
  ).toEqual(providerFailed("Overloaded", again))
})

test("a server that cannot be reached is named, with the variable that says where it is", async () => {
  const { provider, server } = await openProvider([])
  await server.close()
  const { port } = new URL(server.baseUrl)

  const thrown = await ask(provider, [go]).catch((error: unknown) => error)

  expect(toFailure(thrown)).toEqual(
    providerFailed(
      `http://127.0.0.1:${port}/v1/chat/completions could not be reached (connect ECONNREFUSED 127.0.0.1:${port})`,
      "Check that the server runs and OPENAI_BASE_URL is right.",
    ),
  )
})

test("an abort in the middle of a reply closes the connection", async () => {
  const { provider, server } = await openProvider([
    { text: "one two three four", pieces: 4, fault: { afterChunks: 2, type: "hang" } },
  ])
  const controller = new AbortController()
  const reason = new Error("stopped by the user")

  const asked = ask(provider, [go], {}, controller.signal)
  await expect.poll(() => server.requests.length).toBe(1)
  controller.abort(reason)

  await expect(asked).rejects.toBe(reason)
  await server.requests[0]?.dropped
})

test("no secret of the configuration is in a failure, whatever the server echoes", async () => {
  const server = await openProvider([
    { status: 403, body: error("bad token tok-secret-2 for key sk-secret-1") },
  ])
  const provider = await openAICompatible.create({
    model,
    env: { OPENAI_BASE_URL: server.server.baseUrl, OPENAI_API_KEY: "sk-secret-1" },
    config: { headers: { "x-api-key": "tok-secret-2", "x-title": "harness" } },
  })

  const thrown = await ask(provider, [go]).catch((error: unknown) => error)

  expect(toFailure(thrown).message).toBe(
    "openai-compatible did not answer for scripted-1: HTTP 403: bad token [secret] for key [secret].",
  )
  expect(server.server.requests[0]?.headers).toMatchObject({
    authorization: "Bearer sk-secret-1",
    "x-api-key": "tok-secret-2",
    "x-title": "harness",
  })
})
