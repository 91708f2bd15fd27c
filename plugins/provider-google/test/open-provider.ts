import type { Json } from "@harness/protocol"
import { onTestFinished } from "vitest"
import type { Asked } from "../../../tests/support/wire/conversation.ts"
import { gemini } from "../../../tests/support/wire/gemini.ts"
import {
  startWireServer,
  type WireScript,
  type WireServer,
} from "../../../tests/support/wire/server.ts"
import { google } from "../src/index.ts"

/** The provider against a server that plays the script; it ends with the test. */
export async function openProvider(
  script: WireScript,
  config: Record<string, Json> = {},
  model = "gemini-3-pro-preview",
): Promise<{ asked: Asked; server: WireServer }> {
  const server = await startWireServer({ dialect: gemini, script })
  onTestFinished(() => server.close())

  const provider = await google.create({
    model,
    env: {
      GOOGLE_GENERATIVE_AI_BASE_URL: server.baseUrl,
      GOOGLE_GENERATIVE_AI_API_KEY: "sk-secret-1",
    },
    config,
  })
  return { asked: { provider, model }, server }
}
