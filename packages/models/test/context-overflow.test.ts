import { APICallError } from "@ai-sdk/provider"
import { describe, expect, test } from "vitest"
import { contextOverflowIn } from "../src/context-overflow.ts"

function refused(statusCode: number, message: string): APICallError {
  return new APICallError({
    message: "Bad Request",
    url: "http://127.0.0.1/v1/chat/completions",
    requestBodyValues: {},
    statusCode,
    responseBody: JSON.stringify({ error: { message } }),
  })
}

describe("a prompt that is larger than the window is recognised by what servers say", () => {
  test.each([
    [
      "Anthropic",
      400,
      "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      200_000,
    ],
    ["Anthropic, by size", 413, "Request exceeds the maximum size", null],
    [
      "vLLM",
      400,
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      4_096,
    ],
    [
      "vLLM, newer",
      400,
      "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
      4_096,
    ],
    [
      "llama.cpp",
      400,
      "request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it",
      8_192,
    ],
    ["Ollama", 400, "the input length exceeds the context length", null],
    [
      "LM Studio",
      400,
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      4_096,
    ],
    [
      "xAI",
      400,
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      131_072,
    ],
    [
      "Mistral",
      422,
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      32_768,
    ],
  ])("%s", (_server, status, message, contextTokens) => {
    expect(contextOverflowIn(refused(status, message))).toEqual({ contextTokens })
  })

  test("also when it comes as an error in the stream", () => {
    const told = { type: "error", error: { code: "context_length_exceeded", message: "Too long." } }
    expect(contextOverflowIn(new Error("error part", { cause: told }))).toEqual({
      contextTokens: null,
    })
  })
})

test.each([
  [
    429,
    "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000. Please reduce the length of the messages.",
  ],
  [400, "Rate limit: the maximum context length is 8192 tokens for your tier per minute."],
  [400, "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens"],
  [401, "prompt is too long"],
  [400, "tools is not supported"],
])("status %i with other words is another failure: %s", (status, message) => {
  expect(contextOverflowIn(refused(status, message))).toBe(null)
})
