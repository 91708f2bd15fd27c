import { emptyView } from "../../../src/terminal/view/empty.ts"
import { reduce } from "../../../src/terminal/view/reduce.ts"
import type { HistoryItem, View } from "../../../src/terminal/view/view.ts"
import {
  type Recorded,
  receipt,
  recorded,
  startedWith,
  step,
  usage,
} from "../../support/recorded.ts"

/** When every event reaches the face. */
export const atMs = 5_000

/** The view after these events. */
export function viewOf(events: readonly Recorded[]): View {
  return recorded(events).reduce(
    (view, event) => reduce(view, event, atMs),
    emptyView("0123456789ab"),
  )
}

/** A first turn in its first step. */
export const begun: readonly Recorded[] = [
  startedWith({ style: "tools", model: "p/m" }),
  { type: "turn_started", turn: 1 },
  {
    type: "user_message",
    message: {
      role: "user",
      content: [
        { type: "text", text: "AGENTS.md of the project says: be brief." },
        { type: "text", text: "Fix it." },
      ],
    },
  },
  { type: "step_started", ...step(1), model: "p/m" },
]

export const replied = (
  content: Extract<Recorded, { type: "step_ended" }>["message"]["content"],
  cost: number | null = 0.5,
): Recorded => ({
  type: "step_ended",
  ...step(1),
  model: "p/m",
  message: { role: "assistant", content },
  finish: "stop",
  usage: usage(1_000, 50),
  cost,
  duration_ms: 100,
  first_token_ms: null,
})

export const call = (id: string, tool: string, input: object) => ({
  type: "call" as const,
  id,
  tool,
  arguments: JSON.stringify(input),
})

type Proposed = Extract<Recorded, { type: "action_proposed" }>

export const proposed = (changes: Partial<Proposed>): Recorded => ({
  type: "action_proposed",
  ...step(1),
  action_id: "a1",
  origin: { type: "call", call_id: "c1" },
  environment: "project",
  action: "run_command",
  effect: "execute",
  input: { command: "npm test" },
  verdict: "allow",
  rule: "mode:none",
  ...changes,
})

export const ended = (changes: Partial<Extract<Recorded, { type: "action_ended" }>>): Recorded => ({
  type: "action_ended",
  action_id: "a1",
  action: "run_command",
  result: {},
  receipt,
  ...changes,
})

export function newest(events: readonly Recorded[]): HistoryItem | undefined {
  return viewOf(events).fresh.at(-1)
}
