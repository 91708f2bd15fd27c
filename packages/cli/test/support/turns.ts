import type { TurnEnd } from "../../src/printers/printer.ts"

const spent = {
  steps: 2,
  input_tokens: 5_801,
  cached_input_tokens: 0,
  output_tokens: 75,
  cost: null,
}

export const answered: TurnEnd = {
  type: "send",
  ending: { status: "answered" },
  verification: "passed",
  answer: "It is fixed.",
  spent,
}

export const unverified: TurnEnd = { ...answered, verification: "failed" }

export const stopped: TurnEnd = {
  ...answered,
  verification: "not_requested",
  answer: "",
  ending: {
    status: "limit_reached",
    limit: "steps",
    message:
      'The limit of 200 steps a turn is reached. Spent: 200 steps, 1,234 tokens, 0.12 USD. To go on: harness run --resume c0ffee "go on"',
  },
}

export const interrupted: TurnEnd = {
  ...stopped,
  ending: { status: "interrupted", reason: "SIGINT" },
}

export const failed: TurnEnd = {
  ...stopped,
  ending: {
    status: "failed",
    failure: {
      code: "provider_failed",
      message: "openai-compatible did not answer for m: the stream was cut.",
      next: "Try again.",
      exit: 1,
      details: {},
    },
  },
}
