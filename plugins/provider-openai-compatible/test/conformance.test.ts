import { describeProvider } from "@harness/sdk/testing"
import { wireSuite } from "../../../tests/support/wire/conformance.ts"
import { openaiChat } from "../../../tests/support/wire/openai-chat.ts"
import { openAICompatible } from "../src/index.ts"

describeProvider(
  wireSuite({
    provider: openAICompatible,
    model: "qwen3-coder",
    dialect: openaiChat,
    urlVariable: "OPENAI_BASE_URL",
  }),
)
