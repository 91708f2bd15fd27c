import type { Json } from "@harness/protocol"
import { onTestFinished } from "vitest"
import type { Asked } from "../../../tests/support/wire/conversation.ts"
import { openaiResponses } from "../../../tests/support/wire/openai-responses.ts"
import {
  startWireServer,
  type WireScript,
  type WireServer,
} from "../../../tests/support/wire/server.ts"
import { openai } from "../src/index.ts"

/** The provider against a server that plays the script; it ends with the test. */
export async function openProvider(
  script: WireScript,
  config: Record<string, Json> = {},
  model = "gpt-5.2",
): Promise<{ asked: Asked; server: WireServer }> {
  const server = await startWireServer({ dialect: openaiResponses, script })
  onTestFinished(() => server.close())

  const provider = await openai.create({
    model,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-secret-1" },
    config,
  })
  return { asked: { provider, model }, server }
}
