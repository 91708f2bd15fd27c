import { anthropicMessages } from "../../../tests/support/wire/anthropic-messages.ts"
import { describeFaults } from "../../../tests/support/wire/faults/describe.ts"
import { anthropic } from "../src/index.ts"

describeFaults({
  provider: anthropic,
  model: "claude-sonnet-5",
  dialect: anthropicMessages,
  keyVariable: "ANTHROPIC_API_KEY",
  urlVariable: "ANTHROPIC_BASE_URL",
  framesBeforeOutput: 2,
  reasons: {
    end: "the stream ended without a finish",
    endInCall: "the stream ended in the middle of a call",
    malformed: /JSON parsing failed/,
  },
})
