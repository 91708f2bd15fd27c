import { APICallError } from "@ai-sdk/provider"

/** A refusal because the prompt is larger than the model's window. */
export type ContextOverflow = {
  /** The window in tokens, when the server named it. */
  contextTokens: number | null
}

/**
 * Recognises a refusal that says that the prompt is too long, by status and words: vendors have no
 * common code for it. Null for every other error; a limit of tokens a minute is one of those.
 */
export function contextOverflowIn(error: unknown): ContextOverflow | null {
  const said = textOf(error)
  if (APICallError.isInstance(error)) {
    const { statusCode = 0 } = error
    if (statusCode === 413) return { contextTokens: windowIn(said) }
    if (!refusingStatuses.has(statusCode)) return null
  }
  if (otherLimit.test(said) || !tooLong.test(said)) return null
  return { contextTokens: windowIn(said) }
}

/** 200: in the stream. 500: some servers on one's own machine. */
const refusingStatuses = new Set([200, 400, 422, 500])

const otherLimit = /rate.?limit|per minute|quota|too many requests/i

const tooLong = new RegExp(
  [
    // Anthropic
    "prompt is too long",
    "input length and `?max_tokens`? exceed context limit",
    // OpenAI, and who speaks like it
    "context_length_exceeded",
    "exceeds the context window",
    "maximum context length",
    "reduce the length of the messages",
    // Google
    "input token count.{0,40}exceeds the maximum",
    // vLLM
    "longer than the maximum model length",
    // llama.cpp
    "exceed_context_size_error",
    "exceeds the available context size",
    // Ollama
    "input length exceeds (?:the |maximum )?context length",
    "prompt too long; exceeded (?:max )?context length",
    // LM Studio
    "greater than the context length",
    "loaded with context length of only",
    // xAI, Bedrock, MiniMax, Kimi
    "maximum prompt length is \\d+",
    "input is too long for requested model",
    "context window exceeds limit",
    "exceeded model token limit",
  ].join("|"),
  "is",
)

/** Where the window stands in what servers say. */
const windows = [
  /tokens? > (\d+)/i,
  /\d+ \+ \d+ > (\d+)/,
  /maximum (?:context|model|prompt) length (?:is|of) (\d+)/i,
  /for model with (\d+) maximum context length/i,
  /maximum number of tokens allowed \(?(\d+)/i,
  /available context size \((\d+)/i,
  /"n_ctx":\s*(\d+)/,
  /context length of only (\d+)/i,
]

function windowIn(said: string): number | null {
  for (const pattern of windows) {
    const found = Number(pattern.exec(said)?.[1])
    if (Number.isSafeInteger(found) && found > 0) return found
  }
  return null
}

/** All that an error says: of a response its body, of a stream's error what is beneath it. */
function textOf(error: unknown): string {
  if (APICallError.isInstance(error)) return `${error.message}\n${error.responseBody ?? ""}`
  if (error instanceof Error) return `${error.message}\n${textOf(error.cause)}`
  if (typeof error === "string") return error
  return error === undefined ? "" : (JSON.stringify(error) ?? "")
}
