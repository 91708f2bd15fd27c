import type {
  CallPart,
  DurableEvent,
  Ending,
  EphemeralEvent,
  JsonObject,
  KernelCommand,
  Origin,
  Preview,
  StepRow,
} from "@harness/protocol"
import type { Styled } from "../contracts.ts"

export type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

export type Passing<Type extends EphemeralEvent["type"]> = Extract<EphemeralEvent, { type: Type }>

/** The whole of what the terminal shows of one conversation. */
export type View = {
  /** To be printed, in order, and then never changed again; the app empties it as it prints. */
  fresh: readonly HistoryItem[]
  live: LiveStep
  /** The oldest first: it is the one that is shown. */
  requests: readonly WaitingRequest[]
  status: Status
  queued: readonly QueuedMessage[]
  /** Calls that have ended, the newest last, for a person who opens one; the last hundred. */
  ended: readonly EndedCall[]
  known: Known
}

/** What later events speak of by an id. */
export type Known = {
  /** By the action's id: those that have not ended, or left a process running. */
  proposals: Readonly<Record<string, Of<"action_proposed">>>
  /** By the call's id: the calls of the last reply. */
  calls: Readonly<Record<string, CallPart>>
  program: Of<"program_started"> | null
}

/** Something that is printed once and stays in the terminal's scrollback. */
export type HistoryItem =
  /** Where and how the conversation works, or goes on. */
  | { type: "opened"; event: Of<"conversation_started"> | Of<"conversation_resumed"> }
  | { type: "user"; text: string; images: number }
  /** A part of what the model says, which is Markdown by itself; one that does not begin a block goes on with the part before. */
  | { type: "text"; markdown: string; begins: boolean }
  | { type: "call"; call: EndedCall }
  | { type: "program"; program: number; language: string; source: string }
  | { type: "program_output"; lines: readonly string[]; more: boolean }
  | { type: "program_ended"; event: Of<"program_ended"> }
  /** What a person decided at the gate, where it says more than the call's line. */
  | { type: "decision"; event: Of<"request_answered">; title: string }
  /** A unified diff. */
  | { type: "diff"; text: string }
  | { type: "notice"; level: "plain" | "muted" | "warning" | "bad"; text: string }
  | { type: "ending"; ending: Ending; conversation: string; steps: number }
  | { type: "table"; rows: readonly StepRow[] }
  /** A call that was opened: its result, receipt and output. */
  | { type: "details"; call: EndedCall }
  /** Lines of a slash command, already made for this terminal. */
  | { type: "lines"; lines: readonly Styled[] }

/** A call as one line: `read cmd/list.go offset=14 limit=3`, `edit a.ts error ambiguous_match · …`. */
export type EndedCall = {
  actionId: string
  from: Origin["type"]
  /** What was called for: harmless, one line. */
  title: string
  /** What came of it: `exit 1 · 6.2s · timed_out false`; empty where the title says it all. */
  outcome: string
  well: boolean
  permits: Of<"action_proposed">["permits"]
  input: JsonObject
  result: JsonObject
  receipt: Of<"action_ended">["receipt"]
}

/** What happens now; all of it is redrawn. */
export type LiveStep = {
  phase: Phase
  /** What the model says and is not printed yet: Markdown. */
  text: string
  /** True when something of this step's text was printed. */
  said: boolean
  /** True when `text` goes on in the middle of a block whose beginning was printed. */
  continues: boolean
  /** The end of what it thinks; empty when it does not, or when it began to speak. */
  reasoning: string
  /** Calls that are being written, wait, or run. */
  calls: readonly LiveCall[]
  /** The program that runs; the end of what it printed. */
  program: LiveProgram | null
}

export type LiveProgram = {
  program: number
  sinceMs: number
  /** What it printed and is not in the history: an open line, or the end of what is too long for it. */
  tail: string
  /** Lines that it printed so far. */
  printed: number
}

/** Times are milliseconds of the face's own clock. */
export type Phase =
  | { type: "idle" }
  | { type: "working"; sinceMs: number }
  | { type: "model_waiting"; reason: string; untilMs: number }
  | { type: "compacting"; sinceMs: number }

export type LiveCall = {
  /** The action's id, or the call's while the model writes it. */
  id: string
  title: string
  state: "written" | "proposed" | "running"
  sinceMs: number
  /** The last lines that it printed, the open one included. */
  tail: string
  /** Of one that is being written: how long it is by now. */
  characters: number
}

/** A request that waits for the person. */
export type WaitingRequest = {
  request: string
  opened: Of<"request_opened">
  /** What to show: the record's preview, or the fuller one that passes beside it. */
  preview: Preview
  /** The action it is about, with its input, effect and permits; null for a program. */
  proposal: Of<"action_proposed"> | null
  /** The program it is about, or in whose middle it waits; null without one. */
  program: Of<"program_started"> | null
}

export type Status = {
  conversation: string
  model: string
  style: "programs" | "tools"
  approve: string
  sandbox: "os" | "off"
  network: boolean
  folder: string
  /** Of the open turn, or the last one; 0 before the first. */
  turn: number
  step: number
  /** USD so far; `unknown` is true when some step's price is not known: then it is at least this. */
  cost: { usd: number; unknown: boolean }
  inputTokens: number
  outputTokens: number
  /** What the last request held, and what the model takes; null where nobody knows. */
  context: { tokens: number | null; window: number | null }
  services: readonly RunningService[]
}

/** A process that its action left running. */
export type RunningService = { id: string; actionId: string; command: string; sinceMs: number }

/** Typed while a turn ran, and not delivered yet. */
export type QueuedMessage = { text: string; images: readonly SentImage[] }

export type SentImage = NonNullable<Extract<KernelCommand, { type: "send" }>["images"]>[number]

/** What happens in the face itself. */
export type FaceEvent =
  | { type: "print"; items: readonly HistoryItem[] }
  /** So many of the fresh items stand in the scrollback now. */
  | { type: "printed"; count: number }
  | { type: "queued"; message: QueuedMessage }
  | { type: "unqueued" }
  /** What the model takes, as `models` says. */
  | { type: "window"; tokens: number | null }
