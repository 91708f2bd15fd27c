import { failure, type ModelInfo } from "@harness/protocol"
import { z } from "@harness/sdk"

/** How a server on this machine is asked. */
export type LocalServer = {
  provider: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  key: string | undefined
  fetch: typeof fetch
}

/** Long for a server on this machine, and short for a person who waits for a list. */
const waitSeconds = 2

/**
 * The models that a server on this machine says it has, as Ollama, vLLM and LM Studio do. Some tell
 * the window. Throws `models_unlisted`.
 */
export async function localModels(server: LocalServer): Promise<ModelInfo[]> {
  const { provider, baseUrl } = server
  const models = List.safeParse(await answerOf(server)).data?.data
  if (models === undefined) throw unlisted(baseUrl, "its answer holds no list of them")

  return models.map(({ id, ...told }) => ({
    id: `${provider}/${id}`,
    provider,
    context_tokens: told.max_model_len ?? told.context_length ?? null,
    output_tokens: null,
    images: null,
    price: null,
    generated_at: null,
  }))
}

const tokens = z.optional(z.nullable(z.int().positive()))

const List = z.object({
  data: z.array(z.object({ id: z.string(), max_model_len: tokens, context_length: tokens })),
})

export function unlisted(baseUrl: string, reason: string) {
  return failure("models_unlisted", { server: new URL(baseUrl).host, reason })
}

async function answerOf(server: LocalServer): Promise<unknown> {
  const { baseUrl, headers, key, fetch } = server
  const signal = AbortSignal.timeout(waitSeconds * 1_000)
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      signal,
    })
    if (!response.ok) throw unlisted(baseUrl, `it answers with the status ${response.status}`)
    return await response.json()
  } catch (error) {
    if (signal.aborted) throw unlisted(baseUrl, `it does not answer within ${waitSeconds} seconds`)
    if (error instanceof SyntaxError) return undefined
    if (error instanceof TypeError) throw unlisted(baseUrl, "nobody answers there")
    throw error
  }
}
