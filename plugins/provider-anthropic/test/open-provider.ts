import type { Json } from "@harness/protocol"
import { onTestFinished } from "vitest"
import { anthropicMessages } from "../../../tests/support/wire/anthropic-messages.ts"
import type { Asked } from "../../../tests/support/wire/conversation.ts"
import {
  startWireServer,
  type WireScript,
  type WireServer,
} from "../../../tests/support/wire/server.ts"
import { anthropic } from "../src/index.ts"

/** The provider against a server that plays the script; it ends with the test. */
export async function openProvider(
  script: WireScript,
  config: Record<string, Json> = {},
  model = "claude-sonnet-5",
): Promise<{ asked: Asked; server: WireServer }> {
  const server = await startWireServer({ dialect: anthropicMessages, script })
  onTestFinished(() => server.close())

  const provider = await anthropic.create({
    model,
    env: { ANTHROPIC_BASE_URL: server.baseUrl, ANTHROPIC_API_KEY: "sk-secret-1" },
    config,
  })
  return { asked: { provider, model }, server }
}
