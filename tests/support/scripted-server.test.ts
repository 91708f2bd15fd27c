import { expect, onTestFinished, test } from "vitest"
import { type Script, startScriptedServer } from "./scripted-server.ts"

async function serve(script: Script) {
  const server = await startScriptedServer({ script })
  onTestFinished(() => server.close())
  return server
}

function ask(baseUrl: string, messages: object[] = [{ role: "user", content: "go" }]) {
  return fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "scripted", messages }),
  })
}

async function chunksOf(response: Response): Promise<unknown[]> {
  const text = await response.text()
  return text
    .split("\n\n")
    .filter(line => line.startsWith("data: {"))
    .map(line => JSON.parse(line.slice("data: ".length)))
}

test("a call is streamed with its arguments in pieces, the finish reason and the usage", async () => {
  const server = await serve([
    { calls: [{ tool: "bash", arguments: { command: "ls" } }], pieces: 2 },
  ])

  const chunks = await chunksOf(await ask(server.baseUrl))

  const base = {
    id: "chatcmpl-0",
    object: "chat.completion.chunk",
    created: 1_760_000_000,
    model: "scripted",
  }
  const choice = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })
  expect(chunks).toEqual([
    choice({ role: "assistant", content: "" }),
    choice({
      tool_calls: [
        { index: 0, id: "call_0_0", type: "function", function: { name: "bash", arguments: "" } },
      ],
    }),
    choice({ tool_calls: [{ index: 0, function: { arguments: '{"comman' } }] }),
    choice({ tool_calls: [{ index: 0, function: { arguments: 'd":"ls"}' } }] }),
    choice({}, "tool_calls"),
    {
      ...base,
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    },
  ])
})

test("a script that is a function sees the results of the last calls", async () => {
  const seen: unknown[] = []
  const server = await serve((request, n) => {
    seen.push({ n, results: request.results })
    return { text: "done" }
  })

  await ask(server.baseUrl, [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", tool_call_id: "a", content: "first" },
    { role: "tool", tool_call_id: "b", content: "second" },
  ])

  expect(seen).toEqual([{ n: 0, results: ["first", "second"] }])
})

test("a request beyond the end of the script is refused with a message that says so", async () => {
  const server = await serve([])

  const response = await ask(server.baseUrl)

  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: { error: { message: "scripted server: the script has no reply for request 0" } },
  })
})

test("a connection that the client drops while the model hangs resolves `dropped`", async () => {
  const server = await serve([{ text: "never", fault: { afterChunks: 1, type: "hang" } }])
  const controller = new AbortController()

  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "scripted", messages: [] }),
    signal: controller.signal,
  })
  controller.abort()

  expect(response.status).toBe(200)
  await server.requests[0]?.dropped
})
