import { describeFaults } from "../../../tests/support/wire/faults/describe.ts"
import { openaiChat } from "../../../tests/support/wire/openai-chat.ts"
import { openAICompatible } from "../src/index.ts"

describeFaults({
  provider: openAICompatible,
  model: "qwen3-coder",
  dialect: openaiChat,
  keyVariable: "OPENAI_API_KEY",
  urlVariable: "OPENAI_BASE_URL",
  framesBeforeOutput: 1,
  reasons: {
    end: "Response stream ended without a finish reason",
    endInCall: "Response stream ended without a finish reason",
    malformed: /JSON parsing failed/,
  },
})
