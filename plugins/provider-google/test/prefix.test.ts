import { gemini } from "../../../tests/support/wire/gemini.ts"
import { describePrefix } from "../../../tests/support/wire/prefix.ts"
import { google } from "../src/index.ts"

describePrefix({
  provider: google,
  model: "gemini-3-pro-preview",
  dialect: gemini,
  urlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
  messagesKey: "contents",
})
