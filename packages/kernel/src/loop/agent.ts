import {
  type AnswerTo,
  type CommandAnswer,
  type ConversationState,
  type Ending,
  failure,
  type ImagePart,
  type Message,
  type UserMessage,
} from "@harness/protocol"
import type { EvidenceContent, EvidenceStore, KindDefinition } from "@harness/sdk"
import type { Budget } from "../budget/budget.ts"
import type { ConversationImages, SentImage } from "../images/images.ts"
import { imagesIn } from "../images/tokens.ts"
import type { GivenAnswer, Requests } from "../policy/requests.ts"
import type { Performer } from "../scheduler/perform.ts"
import type { Compacted } from "./compaction/compaction.ts"
import type { Overhead } from "./overhead.ts"
import type { Recorder } from "./recorder.ts"
import { stepInterruption } from "./steering/interruption.ts"
import { ownCommandTold } from "./steering/own-command.ts"
import { messageQueue } from "./steering/queue.ts"
import type { Chosen, LiveSettings } from "./steering/settings.ts"
import { textMessage } from "./steering/texts.ts"
import { runTurn, type TurnParts } from "./turn.ts"
import { verificationBy } from "./verification.ts"

/** An agent at work in an open conversation: what the commands of faces reach. */
export interface Agent {
  /**
   * Runs a turn to its end. Rejects only when another turn runs, verification cannot be, or an image
   * cannot be used; then no turn was begun.
   */
  send(sent: Sent): Promise<Extract<CommandAnswer, { type: "send" }>>
  /** Null when it was taken, else why not. */
  answer(request: string, answer: GivenAnswer): Promise<string | null>
  /**
   * Breaks off the turn that runs; or its step alone, where one runs: what the model was saying is
   * dropped, what it was running is cancelled, and the turn goes on with what is queued.
   */
  interrupt(reason: string, scope: "step" | "turn"): void
  /** Says something to the turn that runs. Rejects when none does, or an image cannot be used. */
  queue(sent: Pick<Sent, "text" | "images">): Promise<void>
  /** Takes back what is queued and not delivered: its texts. */
  unqueue(): Promise<string[]>
  /** Chooses model, style or mode from the next step on. Rejects, with nothing changed, when it cannot be. */
  configure(chosen: Chosen): Promise<void>
  /** Summarises what went before. Rejects when something runs. */
  compact(): Promise<CompactAnswer>
  /** Runs a command of the user's own. Rejects when something runs, or the kind runs no commands. */
  command(command: string): Promise<CommandDone>
  state(): ConversationState
  /** What is open, and what runs in it. */
  environments(): OpenEnvironments
  /** Files whose path holds the letters, best first. */
  paths(letters: string, limit: number): Promise<string[]>
  /** A payload that an action of the conversation has left. */
  evidence(sha256: string): Promise<EvidenceContent>
  /** Puts on record what the conversation is called from here on. */
  rename(title: string): void
  /** Interrupts what runs and ends everything that the conversation has started. */
  close(): Promise<void>
}

/** What a user's message holds. */
export type Sent = {
  text: string
  images?: readonly SentImage[] | undefined
  verify?: string | undefined
}

export type CompactAnswer = Omit<Extract<CommandAnswer, { type: "compact" }>, "type">
export type CommandDone = Omit<Extract<CommandAnswer, { type: "command" }>, "type">

type OpenEnvironments = Extract<CommandAnswer, { type: "environments" }>["environments"]

export type AgentParts = {
  /** The conversation's id. */
  conversation: string
  kind: KindDefinition
  recorder: Recorder
  settings: LiveSettings
  budget: Budget
  requests: Requests
  performer: Performer
  evidence: EvidenceStore
  images: ConversationImages
  messages: Message[]
  keepResult: TurnParts["keepResult"]
  environments: () => OpenEnvironments
  paths: (letters: string, limit: number) => Promise<string[]>
  /** Texts that come with the first message since it was opened: AGENTS.md, what changed. */
  preface: () => Promise<string[]>
  /** Called when a turn has ended, before its answer is told. */
  turnEnded: () => void
  turnsBefore: number
  now: () => number
  overhead: Overhead
  /** Ends the environments and gives back what was held; called once. */
  release: () => Promise<void>
}

export function createAgent(parts: AgentParts): Agent {
  let turns = parts.turnsBefore
  const isFirst = () => turns === parts.turnsBefore + 1
  const queue = messageQueue()
  const untold: string[] = []
  const closed = new AbortController()
  let running: { what: string; stop: AbortController; ended: Promise<unknown> } | null = null
  let step: { number: number; stop: AbortController | null } = { number: 1, stop: null }
  /** The turn takes nothing more, and writes down its end. */
  let isEnding = false
  let closing: Promise<void> | null = null

  function working() {
    untold.push(...parts.settings.apply())
    return parts.settings.working
  }

  /** One thing at a time; `close` and `interrupt` end it. */
  async function alone<Result>(
    command: string,
    what: string,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (running !== null || closing !== null) {
      const reason = closing ? "the conversation is closed" : `${running?.what} is running`
      throw failure("command_invalid", { command, reason })
    }
    const stop = new AbortController()
    const done = run(stop.signal)
    running = { what, stop, ended: done.catch(() => {}) }
    try {
      return await done
    } finally {
      running = null
      queue.close()
    }
  }

  async function runOne(
    { text, images: sent = [], verify }: Sent,
    signal: AbortSignal,
  ): Promise<Extract<AnswerTo<"send">, { type: "send" }>> {
    queue.open()
    isEnding = false
    const { kind, performer, recorder } = parts
    const verification =
      verify === undefined ? null : verificationBy(verify, { kind, performer, recorder })
    const images = sent.length > 0 ? await parts.images.take(sent, signal) : []
    turns += 1
    const preface = isFirst() ? await parts.preface() : []
    const message = userMessage([...preface, ...untold.splice(0), text], images)
    // Those of before too: it may have been another model that saw them.
    parts.images.entered([...parts.messages, message].flatMap(imagesIn))
    const stepRuns: TurnParts["stepRuns"] = (number, stop) => {
      step = { number, stop }
    }
    const close = () => {
      queue.close()
      isEnding = true
    }
    const end = await runTurn(
      { ...parts, verify: verification, working, queue: { ...queue, close }, untold, stepRuns },
      { turn: turns, message, signal },
    )
    parts.turnEnded()
    return { type: "send", ...end, spent: parts.budget.spent() }
  }

  async function compact(signal: AbortSignal): Promise<CompactAnswer> {
    if (turns === 0) return { status: "nothing_to_do", reason: null }
    const { compaction } = working()
    const time = parts.budget.startTurn(signal)
    try {
      const end = await compaction.compact({ turn: turns, step: step.number }, time.signal)
      return { status: "failed", reason: null, ...compactEnd(end) }
    } finally {
      time.stop()
    }
  }

  async function runOwn(command: string, signal: AbortSignal): Promise<CommandDone> {
    const planned = parts.kind.verify?.(command)
    if (planned === undefined) throw failure("commands_unsupported", { kind: parts.kind.name })
    const performed = await parts.performer.perform({
      ...planned,
      origin: { type: "user" },
      turn: turns + 1,
      step: 1,
      programApproved: false,
      signal,
    })
    if (performed.status === "invalid") {
      throw failure("command_invalid", { command: "command", reason: performed.message })
    }
    untold.push(ownCommandTold(command, performed.result))
    parts.turnEnded()
    return { result: performed.result, receipt: performed.receipt }
  }

  async function queued({ text, images: sent = [] }: Sent): Promise<UserMessage> {
    const images = sent.length > 0 ? await parts.images.take(sent, closed.signal) : []
    const message = userMessage([text], images)
    parts.images.entered(imagesIn(message))
    return message
  }

  /** What was chosen while a turn ran, and no step came after it, is in force for the next one. */
  function settle(): void {
    if (running !== null || closing !== null) return
    untold.push(...parts.settings.apply())
  }

  async function close(): Promise<void> {
    closed.abort("the conversation was closed")
    running?.stop.abort(closed.signal.reason)
    await running?.ended
    await parts.release()
  }

  return {
    async send(sent) {
      // A turn that takes nothing more may still be writing down its end.
      if (isEnding && running?.what === "a turn") await running.ended
      try {
        return await alone("send", "a turn", signal => runOne(sent, signal))
      } finally {
        settle()
      }
    },
    answer: (request, answer) => parts.requests.answer(request, answer),
    interrupt(reason, scope) {
      if (scope === "step" && step.stop !== null) step.stop.abort(stepInterruption)
      else running?.stop.abort(reason)
    },
    queue: sent => queue.add(sent.text, () => queued(sent)),
    unqueue: queue.takeBack,
    async configure(chosen) {
      await parts.settings.choose(chosen)
      settle()
    },
    compact: () => alone("compact", "a summary", compact),
    command: command => alone("command", "a command", signal => runOwn(command, signal)),
    state: parts.settings.state,
    environments: parts.environments,
    paths: parts.paths,
    evidence: sha256 => parts.evidence.get(sha256),
    rename: title => parts.recorder.record({ type: "conversation_renamed", title }, { sync: true }),
    close() {
      closing ??= close()
      return closing
    },
  }
}

function compactEnd(end: Compacted | Ending): Partial<CompactAnswer> {
  if (end.status === "interrupted" || end.status === "failed") {
    return { reason: "reason" in end ? end.reason : end.failure.message }
  }
  if (end.status === "limit_reached") return { reason: end.message }
  return end.status === "answered" ? {} : { status: end.status }
}

/** `images` is null when it was interrupted before they were looked at. */
function userMessage(texts: readonly string[], images: ImagePart[] | null): UserMessage {
  const message = textMessage(images === null ? [...texts, imagesLost] : texts)
  return { role: "user", content: [...message.content, ...(images ?? [])] }
}

const imagesLost =
  "[The images of this message are not here: it was interrupted while they were read.]"
