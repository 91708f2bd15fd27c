import { openaiChat } from "../../../tests/support/wire/openai-chat.ts"
import { describePrefix } from "../../../tests/support/wire/prefix.ts"
import { openAICompatible } from "../src/index.ts"

describePrefix({
  provider: openAICompatible,
  model: "qwen3-coder",
  dialect: openaiChat,
  urlVariable: "OPENAI_BASE_URL",
  messagesKey: "messages",
})
