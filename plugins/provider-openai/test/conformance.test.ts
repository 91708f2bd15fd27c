import { describeProvider } from "@harness/sdk/testing"
import { wireSuite } from "../../../tests/support/wire/conformance.ts"
import { openaiResponses } from "../../../tests/support/wire/openai-responses.ts"
import { openai } from "../src/index.ts"

describeProvider(
  wireSuite({
    provider: openai,
    model: "gpt-5.2",
    dialect: openaiResponses,
    urlVariable: "OPENAI_BASE_URL",
  }),
)
