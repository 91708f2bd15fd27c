import type { Kernel } from "@harness/kernel"
import type {
  ApprovalScope,
  DurableEvent,
  JsonObject,
  KernelEvent,
  StepRow,
} from "@harness/protocol"
import type { Exit, Invocation } from "../invocation.ts"
import type { Span } from "./render/spans.ts"
import type { HistoryItem, SentImage, View, WaitingRequest } from "./view/view.ts"

// The types by which the parts of the terminal meet; what is shown is in view/view.ts.
//
//   start/  openTerminal(invocation, options: TerminalOptions): Promise<Exit>
//   app/    runTerminal(kernel, opened: OpenedConversation, invocation): Promise<TerminalEnd>
//   view/   reduce(view, event: ConversationEvent | FaceEvent, atMs): View
//   input/  Editor(props: EditorProps), a component
//   gate/   Gate(props: GateProps), a component
//   render/ theme, and functions of a text and a Look that give Styled lines
//   commands/ slashCommands: readonly SlashCommand[]

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
  /** The lines of a source as spans; plain ones where the language is not known. */
  readonly highlight: (source: string, language: string) => Span[][]
}

/** What pure functions that make lines need to know of the terminal. */
export type Look = { columns: number; theme: Theme }

/** The line at the bottom. It has the keys while `active`; it owns Esc and Ctrl-C as far as it has a use for them. */
export type EditorProps = Look & {
  active: boolean
  /** Rows that it may take at most. */
  rows: number
  placeholder: string
  /** Earlier messages of the conversation, the newest last. */
  history: readonly string[]
  /** Those of the project's other conversations; asked for when a person goes back, once. */
  earlier(): Promise<readonly string[]>
  commands: readonly SlashCommand[]
  /** For `@path`. */
  paths(letters: string): Promise<readonly string[]>
  /** What the argument of a command may be; asked for once while it is typed. */
  complete(command: string): Promise<readonly Completion[]>
  /** Rows that are drawn above it: with them the terminal's own cursor stands in the line. */
  top?: number
  env: Invocation["env"]
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
  /** Something is to be said to the person. */
  onNotice(text: string): void
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
  /** The face's own clock, in milliseconds. */
  now(): number
  /** False when it was not taken: the request waits on, and why not is printed. */
  onAnswer(answer: GateAnswer): Promise<boolean>
  /** Prints for good, above: what is too long for the rows, so that all of it was shown. */
  print(...items: HistoryItem[]): void
  suspend: Suspend
}

/** A word that the line may be completed to, and what is said of it. */
export type Completion = { value: string; note?: string }

/** A command of the person: `/cost`. */
export type SlashCommand = {
  /** Without the slash. */
  name: string
  /** As help shows them: `[model]`; empty for none. */
  arguments: string
  description: string
  /** What its argument may be, as far as it is known; those that fit are picked by the line. */
  complete?(terminal: TerminalCommands): Promise<readonly Completion[]>
  run(rest: string, terminal: TerminalCommands): Promise<void>
}

/** What a slash command works with. What it throws is shown as a notice. */
export type TerminalCommands = Look & {
  kernel: Pick<Kernel, "dispatch">
  conversation: string
  view(): View
  /** Rows of the step table so far. */
  steps(): readonly StepRow[]
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
  /** How much the model takes; null, or absent, where nobody knows. */
  contextTokens?: number | null
  /** Sent at once. */
  message?: string
}

/** How the terminal came to its end: left, or on to another conversation. The kernel stays open. */
export type TerminalEnd = { type: "left"; exit: Exit } | { type: "go_to"; conversation: string }
