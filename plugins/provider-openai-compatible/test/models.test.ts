import { createServer, type RequestListener } from "node:http"
import { toFailure } from "@harness/protocol"
import { expect, onTestFinished, test } from "vitest"
import { openAICompatible } from "../src/index.ts"

async function localServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return `http://127.0.0.1:${address.port}/v1`
}

async function listed(url: string, env: Record<string, string> = {}) {
  const models = openAICompatible.models?.({ env: { OPENAI_BASE_URL: url, ...env }, config: {} })
  return models?.catch((error: unknown) => toFailure(error).message)
}

const nothingKnown = {
  provider: "openai-compatible",
  context_tokens: null,
  output_tokens: null,
  images: null,
  price: null,
  generated_at: null,
}

test("a server on this machine is asked for its models, and for their windows where it tells them", async () => {
  const seen: unknown[] = []
  const url = await localServer((request, response) => {
    seen.push([request.url, request.headers.authorization])
    const data = [{ id: "qwen3-coder" }, { id: "llama", max_model_len: 32_768 }]
    response.end(JSON.stringify({ object: "list", data }))
  })

  expect(await listed(url, { OPENAI_API_KEY: "sk-local" })).toEqual([
    { ...nothingKnown, id: "openai-compatible/qwen3-coder" },
    { ...nothingKnown, id: "openai-compatible/llama", context_tokens: 32_768 },
  ])
  expect(seen).toEqual([["/v1/models", "Bearer sk-local"]])
})

test("one that is not there, refuses or answers something else is told as it is", async () => {
  const gone = "http://127.0.0.1:9/v1"
  const refusing = await localServer((_request, response) => {
    response.statusCode = 404
    response.end("no such page")
  })
  const other = await localServer((_request, response) => response.end("<html></html>"))

  expect(await listed(gone)).toBe(
    "Which models 127.0.0.1:9 has is not known: nobody answers there.",
  )
  expect(await listed(refusing)).toContain("it answers with the status 404.")
  expect(await listed(other)).toContain("its answer holds no list of them.")
})

test("a known server is not asked: the catalogue has its models, with prices and without a key", async () => {
  const models = (await listed("https://openrouter.ai/api/v1")) ?? []
  if (typeof models === "string") throw new Error(models)
  expect(
    models.find(({ id }) => id === "openai-compatible/anthropic/claude-sonnet-5"),
  ).toMatchObject({
    context_tokens: 1_000_000,
    price: { input: 2, output: 10 },
  })
})

test("another server elsewhere is not asked", async () => {
  expect(await listed("https://models.example.com/v1")).toBe(
    "Which models models.example.com has is not known: no catalogue has it, and it is not on this machine.",
  )
})

test("at a known server a model has its price, and at one on this machine nothing is known", async () => {
  const known = { OPENAI_BASE_URL: "https://api.deepseek.com", OPENAI_API_KEY: "sk-test" }
  const deepseek = await openAICompatible.create({
    model: "deepseek-flash",
    env: known,
    config: {},
  })
  expect(deepseek.price).toEqual({ input: 0.3, output: 1.2, cached_input: 0.006 })

  const local = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" }
  const ollama = await openAICompatible.create({ model: "deepseek-flash", env: local, config: {} })
  expect([ollama.price, ollama.contextTokens]).toEqual([undefined, undefined])
})
