import type { Kernel } from "@harness/kernel"
import type {
  ApprovalScope,
  DurableEvent,
  Ending,
  JsonObject,
  KernelCommand,
  KernelEvent,
  Origin,
  Preview,
  StepRow,
} from "@harness/protocol"
import type { Exit, Invocation } from "../invocation.ts"

// The types by which the parts of the terminal meet. Everything in a view is plain data.
//
//   start/  openTerminal(invocation, options: TerminalOptions): Promise<Exit>
//   app/    runTerminal(kernel, opened: OpenedConversation, invocation): Promise<TerminalEnd>
//   view/   reduce(view, event: ConversationEvent | FaceEvent, atMs): View
//   input/  Editor(props: EditorProps), a component
//   gate/   Gate(props: GateProps), a component
//   render/ theme, and functions of a text and a Look that give Styled lines
//   commands/ slashCommands: readonly SlashCommand[]

export type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** One line of the terminal, ready: harmless (`visible`), with ANSI styles, without a line break. */
export type Styled = string

export type ThemeStyle =
  | "strong"
  | "emphasis"
  | "muted"
  | "accent"
  | "good"
  | "warning"
  | "bad"
  | "added"
  | "removed"
  | "hunk"
  | "code"
  | "link"
  | "heading"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "name"
  | "inverse"

/** How things look; made once, at the start. Without colours every style gives the text back as it is. */
export type Theme = Readonly<Record<ThemeStyle, (text: string) => string>> & {
  readonly background: "dark" | "light"
  /** False under NO_COLOR, a dumb terminal, …: what only colour said must be said in words. */
  readonly colours: boolean
  /** Plain lines for a screen reader: no boxes, no spinner, no countdown that redraws. */
  readonly screenReader: boolean
}

/** What pure functions that make lines need to know of the terminal. */
export type Look = { columns: number; theme: Theme }

/** The whole of what the terminal shows of one conversation. */
export type View = {
  /** Each is printed once, in order, and never changed again. Only ever grows at its end. */
  history: readonly HistoryItem[]
  live: LiveStep
  /** The oldest first: it is the one that is shown. */
  requests: readonly WaitingRequest[]
  status: Status
  queued: readonly QueuedMessage[]
  /** Calls that have ended, the newest last, for a person who opens one; the last hundred. */
  ended: readonly EndedCall[]
  /** Rows of the step table. */
  steps: readonly StepRow[]
}

/** Something that is printed once and stays in the terminal's scrollback. */
export type HistoryItem =
  /** Where and how the conversation works, or goes on. */
  | { type: "opened"; event: Of<"conversation_started"> | Of<"conversation_resumed"> }
  | { type: "user"; text: string; images: number }
  /** A part of what the model says, which is Markdown by itself; `first` of its step. */
  | { type: "text"; markdown: string; first: boolean }
  | { type: "call"; call: EndedCall }
  | { type: "program"; program: number; language: string; source: string }
  | { type: "program_output"; lines: readonly string[]; more: boolean }
  | { type: "program_ended"; event: Of<"program_ended"> }
  /** What a person decided at the gate, where it says more than the call's line. */
  | { type: "decision"; event: Of<"request_answered">; title: string }
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
  /** What the model says and is not in the history yet: Markdown. */
  text: string
  /** True when something of this step's text is in the history. */
  said: boolean
  /** The end of what it thinks; empty when it does not, or when it began to speak. */
  reasoning: string
  /** Calls that are being written, wait, or run. */
  calls: readonly LiveCall[]
  /** The program that runs; the end of what it printed. */
  program: { program: number; sinceMs: number; tail: string; printed: number } | null
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
  | { type: "printed"; items: readonly HistoryItem[] }
  | { type: "queued"; message: QueuedMessage }
  | { type: "unqueued" }
  /** What the model takes, as `models` says. */
  | { type: "window"; tokens: number | null }

/** The line at the bottom. It has the keys while `active`; it owns Esc and Ctrl-C as far as it has a use for them. */
export type EditorProps = Look & {
  active: boolean
  /** Rows that it may take at most. */
  rows: number
  placeholder: string
  /** Earlier messages, the newest last. */
  history: readonly string[]
  commands: readonly SlashCommand[]
  /** For `@path`. */
  paths(letters: string): Promise<readonly string[]>
  /** Text that comes back into the line (a message taken back from the queue); a new `id` each time. */
  given?: { id: number; text: string } | undefined
  onSubmit(text: string, images: readonly SentImage[]): void
  /** A line that begins with `/`: the name of the command and the rest. */
  onCommand(name: string, rest: string): void
  /** A line that begins with `!`. */
  onShell(command: string): void
  /** Esc with nothing to close. */
  onEscape(): void
  /** Ctrl-C with nothing to clear. */
  onCancel(): void
  /** Gives the terminal to another program ($EDITOR) until `run` has ended. */
  suspend: Suspend
}

export type Suspend = (run: () => Promise<void>) => Promise<void>

/** The person's answer: the fields of the command `answer`. */
export type GateAnswer = {
  decision: "approve" | "deny"
  note?: string
  input?: JsonObject
  save?: ApprovalScope
  answer?: string
}

/** What takes the editor's place while a request waits. It has all keys but Ctrl-C, Ctrl-Z. */
export type GateProps = Look & {
  request: WaitingRequest
  /** Requests behind this one. */
  behind: number
  /** Rows that it may take at most. */
  rows: number
  env: Invocation["env"]
  onAnswer(answer: GateAnswer): void
  /** Prints for good, above: what is too long for the rows, so that all of it was shown. */
  print(...items: HistoryItem[]): void
  suspend: Suspend
}

/** A command of the person: `/cost`. */
export type SlashCommand = {
  /** Without the slash. */
  name: string
  /** As help shows them: `[model]`; empty for none. */
  arguments: string
  description: string
  run(rest: string, terminal: TerminalCommands): Promise<void>
}

/** What a slash command works with. What it throws is shown as a notice. */
export type TerminalCommands = Look & {
  kernel: Pick<Kernel, "dispatch">
  conversation: string
  view(): View
  print(...items: HistoryItem[]): void
  /** Sends a message as if it had been typed: queued while a turn runs. */
  send(text: string): void
  /** Leaves this conversation for another one, which is opened in its place. */
  goTo(conversation: string): void
  leave(): void
  suspend: Suspend
}

/** What `harness`, `harness "message"` and `harness resume` say. */
export type TerminalOptions = {
  message?: string
  folder?: string
  model?: string
  resume?: string
}

/** A conversation that is open, for the terminal to show. */
export type OpenedConversation = {
  conversation: string
  /** What the kernel told since before it was opened: its opening, notices. */
  told: readonly KernelEvent[]
  /** Of a conversation that goes on: what happened before, to be shown. */
  past: readonly DurableEvent[]
  /** Sent at once. */
  message?: string
}

/** How the terminal came to its end: left, or on to another conversation. The kernel stays open. */
export type TerminalEnd = { type: "left"; exit: Exit } | { type: "go_to"; conversation: string }
