import { describeFaults } from "../../../tests/support/wire/faults/describe.ts"
import { openaiResponses } from "../../../tests/support/wire/openai-responses.ts"
import { openai } from "../src/index.ts"

describeFaults({
  provider: openai,
  model: "gpt-5.2",
  dialect: openaiResponses,
  keyVariable: "OPENAI_API_KEY",
  urlVariable: "OPENAI_BASE_URL",
  framesBeforeOutput: 2,
  reasons: {
    end: "the stream ended without a finish",
    endInCall: "the stream ended without a finish",
    malformed: /JSON parsing failed/,
  },
})
