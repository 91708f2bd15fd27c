import { describeProvider } from "@harness/sdk/testing"
import { anthropicMessages } from "../../../tests/support/wire/anthropic-messages.ts"
import { wireSuite } from "../../../tests/support/wire/conformance.ts"
import { anthropic } from "../src/index.ts"

describeProvider(
  wireSuite({
    provider: anthropic,
    model: "claude-sonnet-5",
    dialect: anthropicMessages,
    urlVariable: "ANTHROPIC_BASE_URL",
  }),
)
