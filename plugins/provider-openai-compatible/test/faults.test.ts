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

function providerFailed(reason: string, hint: string, retryable: boolean): Failure {
  return {
    code: "provider_failed",
    message: `openai-compatible did not answer for ${model}: ${reason}.`,
    next: hint,
    exit: 1,
    details: {
      provider: "openai-compatible",
      model,
      reason,
      hint,
      retryable,
      retry_after_ms: null,
      output_begun: false,
      unbilled: true,
    },
  }
}

const error = (message: string) => ({ error: { message, type: "some_error" } })

test.each([
  [
    400,
    error("scripted-1 does not support tools."),
    "HTTP 400: scripted-1 does not support tools",
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
    expect(await failureOf([{ status, body }])).toEqual(providerFailed(reason, hint, status >= 500))
  },
)

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

test("no secret of the configuration is in a failure, whatever the server echoes", async () => {
  const server = await openProvider([
    { status: 403, body: error("bad token tok-secret-2 for key sk-secret-1") },
  ])
  const provider = await openAICompatible.create({
    model,
    env: { OPENAI_BASE_URL: server.server.baseUrl, OPENAI_API_KEY: "sk-secret-1" },
    config: { retry_seconds: 0, headers: { "x-api-key": "tok-secret-2", "x-title": "harness" } },
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
