import { describeProvider } from "@harness/sdk/testing"
import { wireSuite } from "../../../tests/support/wire/conformance.ts"
import { gemini } from "../../../tests/support/wire/gemini.ts"
import { google } from "../src/index.ts"

describeProvider(
  wireSuite({
    provider: google,
    model: "gemini-3-pro-preview",
    dialect: gemini,
    urlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
    objectArguments: true,
  }),
)
