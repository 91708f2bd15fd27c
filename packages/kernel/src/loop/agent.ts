import type { AnswerTo, CommandAnswer, ImagePart, Message, UserMessage } from "@harness/protocol"
import { failure } from "@harness/protocol"
import type { EvidenceContent, EvidenceStore, KindDefinition } from "@harness/sdk"
import type { Budget } from "../budget/budget.ts"
import type { ConversationImages, SentImage } from "../images/images.ts"
import { imagesIn } from "../images/tokens.ts"
import type { GivenAnswer, Requests } from "../policy/requests.ts"
import type { Performer } from "../scheduler/perform.ts"
import type { Overhead } from "./overhead.ts"
import type { Recorder } from "./recorder.ts"
import { stepInterruption } from "./steering/interruption.ts"
import { messageQueue } from "./steering/queue.ts"
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

export type AgentParts = {
  /** The conversation's id. */
  conversation: string
  kind: KindDefinition
  recorder: Recorder
  working: TurnParts["working"]
  budget: Budget
  requests: Requests
  performer: Performer
  evidence: EvidenceStore
  images: ConversationImages
  messages: Message[]
  keepResult: TurnParts["keepResult"]
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
  let running: { stop: AbortController; ended: Promise<unknown> } | null = null
  let step: AbortController | null = null
  let closing: Promise<void> | null = null

  async function runOne(
    { text, images: sent = [], verify }: Sent,
    signal: AbortSignal,
  ): Promise<Extract<AnswerTo<"send">, { type: "send" }>> {
    const { kind, performer, recorder } = parts
    const verification =
      verify === undefined ? null : verificationBy(verify, { kind, performer, recorder })
    const images = sent.length > 0 ? await parts.images.take(sent, signal) : []
    turns += 1
    const preface = isFirst() ? await parts.preface() : []
    const message = userMessage([...preface, ...untold.splice(0), text], images)
    // Those of before too: it may have been another model that saw them.
    parts.images.entered([...parts.messages, message].flatMap(imagesIn))
    const stepRuns = (stop: AbortController | null) => {
      step = stop
    }
    const end = await runTurn(
      { ...parts, verify: verification, queue, untold, stepRuns },
      { turn: turns, message, signal },
    )
    parts.turnEnded()
    return { type: "send", ...end, spent: parts.budget.spent() }
  }

  async function queued({ text, images: sent = [] }: Sent): Promise<UserMessage> {
    const images = sent.length > 0 ? await parts.images.take(sent, closed.signal) : []
    const message = userMessage([text], images)
    parts.images.entered(imagesIn(message))
    return message
  }

  async function close(): Promise<void> {
    closed.abort("the conversation was closed")
    running?.stop.abort(closed.signal.reason)
    await running?.ended
    await parts.release()
  }

  return {
    async send(sent) {
      if (running !== null || closing !== null) {
        const reason = closing ? "the conversation is closed" : "a turn is running"
        throw failure("command_invalid", { command: "send", reason })
      }
      const stop = new AbortController()
      const turn = runOne(sent, stop.signal)
      running = { stop, ended: turn.catch(() => {}) }
      try {
        return await turn
      } finally {
        running = null
      }
    },
    answer: (request, answer) => parts.requests.answer(request, answer),
    interrupt(reason, scope) {
      if (scope === "step" && step !== null) step.abort(stepInterruption)
      else running?.stop.abort(reason)
    },
    queue: sent => queue.add(sent.text, () => queued(sent)),
    unqueue: queue.takeBack,
    evidence: sha256 => parts.evidence.get(sha256),
    rename: title => parts.recorder.record({ type: "conversation_renamed", title }, { sync: true }),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** `images` is null when it was interrupted before they were looked at. */
function userMessage(texts: readonly string[], images: ImagePart[] | null): UserMessage {
  const message = textMessage(images === null ? [...texts, imagesLost] : texts)
  return { role: "user", content: [...message.content, ...(images ?? [])] }
}

const imagesLost =
  "[The images of this message are not here: it was interrupted while they were read.]"
