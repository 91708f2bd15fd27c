import type { LiveStep, View } from "./view.ts"

/** Before anything was told. */
export function emptyView(conversation: string): View {
  return {
    fresh: [],
    live: idleStep,
    requests: [],
    queued: [],
    ended: [],
    known: { proposals: {}, calls: {}, program: null },
    status: {
      conversation,
      model: "",
      style: "programs",
      approve: "",
      sandbox: "os",
      network: false,
      folder: "",
      turn: 0,
      step: 0,
      cost: { usd: 0, unknown: false },
      inputTokens: 0,
      outputTokens: 0,
      context: { tokens: null, window: null },
      services: [],
    },
  }
}

export const idleStep: LiveStep = {
  phase: { type: "idle" },
  text: "",
  said: false,
  continues: false,
  reasoning: "",
  calls: [],
  program: null,
}
