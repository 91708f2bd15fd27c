import { describeFaults } from "../../../tests/support/wire/faults/describe.ts"
import { gemini } from "../../../tests/support/wire/gemini.ts"
import { google } from "../src/index.ts"

describeFaults({
  provider: google,
  model: "gemini-3-pro-preview",
  dialect: gemini,
  keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
  urlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
  framesBeforeOutput: 0,
  reasons: {
    end: "the stream ended without a finish",
    endInCall: "the stream ended without a finish",
    malformed: /JSON parsing failed/,
  },
  objectArguments: true,
})
