import { openaiResponses } from "../../../tests/support/wire/openai-responses.ts"
import { describePrefix } from "../../../tests/support/wire/prefix.ts"
import { openai } from "../src/index.ts"

describePrefix({
  provider: openai,
  model: "gpt-5.2",
  dialect: openaiResponses,
  urlVariable: "OPENAI_BASE_URL",
  messagesKey: "input",
})
