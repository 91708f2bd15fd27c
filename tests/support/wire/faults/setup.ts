import { expect, onTestFinished } from "vitest"
import { type Failure, toFailure } from "../../../../packages/protocol/src/index.ts"
import type { ModelEvent, ProviderDefinition } from "../../../../packages/sdk/src/index.ts"
import { type Asked, go } from "../conversation.ts"
import type { Dialect, WireAnswer } from "../dialect.ts"
import { startWireServer, type WireScript, type WireServer } from "../server.ts"

export type FaultSuite = {
  provider: ProviderDefinition
  model: string
  dialect: Dialect
  keyVariable: string
  urlVariable: string
  /** How many events of an answer come before the first that holds output. */
  framesBeforeOutput: number
  /** What the reader is told of a stream that broke. */
  reasons: { end: string; endInCall: string; malformed: RegExp }
  /** The wire carries the arguments of a call as an object, which cannot be malformed. */
  objectArguments?: boolean
}

export const key = "sk-secret-1"
export const call = { id: "c1", tool: "bash", arguments: { command: "rm -r build" } }
export const answer: WireAnswer = { text: "I will.", calls: [call], pieces: 3 }

/** The provider against a server that plays the script; it ends with the test. */
export async function open(
  suite: FaultSuite,
  script: WireScript,
  retrySeconds?: number,
): Promise<{ server: WireServer; asked: Asked }> {
  const { model, dialect } = suite
  const server = await startWireServer({ dialect, script })
  onTestFinished(() => server.close())
  const provider = await suite.provider.create({
    model,
    env: { [suite.urlVariable]: server.baseUrl, [suite.keyVariable]: key },
    config: retrySeconds === undefined ? {} : { retry_seconds: retrySeconds },
  })
  return { server, asked: { provider, model } }
}

/** The failure of a request, whole. */
export function failedWith(
  { provider, model }: FaultSuite,
  reason: unknown,
  hint: unknown,
  details: {
    retryable: unknown
    retry_after_ms?: number | null
    output_begun?: boolean
    unbilled?: boolean
  },
) {
  return {
    code: "provider_failed",
    message: expect.stringContaining(`${provider.name} did not answer for ${model}: `),
    next: hint,
    exit: 1,
    details: {
      provider: provider.name,
      model,
      reason,
      hint,
      retry_after_ms: null,
      output_begun: false,
      unbilled: true,
      ...details,
    },
  }
}

export async function failureOf(asked: Asked): Promise<Failure> {
  return collect(asked, [])
}

/** Reads until it fails; what came before is pushed. */
export async function collect({ provider, model }: Asked, events: ModelEvent[]): Promise<Failure> {
  const request = { model, instructions: "Be exact.", tools: [], messages: [go] }
  try {
    for await (const event of provider.stream(request, new AbortController().signal)) {
      events.push(event)
    }
  } catch (error) {
    return toFailure(error)
  }
  throw new Error("it did not fail")
}

export function textOf(events: readonly ModelEvent[]): string {
  return events
    .flatMap(event => (event.type === "delta" && event.of === "text" ? [event.text] : []))
    .join("")
}
