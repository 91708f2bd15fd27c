import { anthropicMessages } from "../../../tests/support/wire/anthropic-messages.ts"
import { describePrefix } from "../../../tests/support/wire/prefix.ts"
import { anthropic } from "../src/index.ts"

describePrefix({
  provider: anthropic,
  model: "claude-sonnet-5",
  dialect: anthropicMessages,
  urlVariable: "ANTHROPIC_BASE_URL",
  messagesKey: "messages",
  withoutMarks: text => text.replaceAll(/,"cache_control":\{[^}]*\}/g, ""),
})
