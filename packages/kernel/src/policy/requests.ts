import type {
  AnsweredBy,
  ApprovalScope,
  EventBody,
  JsonObject,
  PassingBody,
  Preview,
  Rule,
} from "@harness/protocol"
import type { PersonClock } from "@harness/sdk"
import type { Overhead } from "../loop/overhead.ts"
import { unfitAnswer } from "./unfit-answer.ts"

/** An answer as it is on record, and as the one who asked gets it. */
export type Answer = {
  decision: "approve" | "deny"
  by: AnsweredBy
  note?: string
  /** What runs in the place of what was proposed. */
  input?: JsonObject
  saved?: { scope: ApprovalScope; rules: Rule[] }
  /** To a question, or the kind that was picked; always there when such a request is approved. */
  answer?: string
}

/** An answer as a person gives it; `save` saves what the request offers. */
export type GivenAnswer = Pick<Answer, "decision" | "by"> & {
  note?: string | undefined
  input?: JsonObject | undefined
  save?: ApprovalScope | undefined
  answer?: string | undefined
}

type RequestOpened = Extract<EventBody, { type: "request_opened" }>

export type Question = Pick<
  RequestOpened,
  "subject" | "title" | "permits" | "preview" | "offer" | "uncovered"
>

/** Why the input that a person wrote may not run, as a sentence for them; null when it may. */
export type JudgeInput = (input: JsonObject) => Promise<string | null>

/**
 * Requests to a person: opened here, answered by the command `answer`.
 *
 * @example
 * const subject = { type: "question", action_id: "a4", question: "Which port?", options: [] }
 * const asked = { subject, title: "a question", preview: { format: "text", text: "Which port?" } }
 * const { decision, answer } = await requests.open(asked, signal)
 */
export interface Requests {
  /**
   * Resolves with the answer; with a deny by `interrupt` when `signal` is aborted first. Without
   * `judge` nothing can be put in the place of what was proposed.
   */
  open(question: Question, signal: AbortSignal, judge?: JudgeInput): Promise<Answer>
  /**
   * Null when the answer was taken; else why not, as a sentence, and the request waits on if it
   * does. Rejects when what it saves cannot be saved; then it waits on too.
   */
  answer(request: string, answer: GivenAnswer): Promise<string | null>
}

type Waiting = {
  question: Question
  judge: JudgeInput | undefined
  signal: AbortSignal
  settle: (answer: Answer) => void
  interrupted: () => void
}

export function createRequests(options: {
  record: (body: EventBody) => void
  pass: (body: PassingBody) => void
  ids: () => string
  /** People are waited for, not harness. */
  overhead: Pick<Overhead, "without">
  /** Stands still meanwhile. */
  clock: PersonClock
  /** Keeps what a person allowed for good; absent where nothing can be. */
  save?: (saved: { request: string; scope: ApprovalScope; rules: Rule[] }) => Promise<void>
}): Requests {
  const waiting = new Map<string, Waiting>()

  /** What shows a secret file is shown and not kept: it may yet be denied. */
  function tell(request: string, question: Question): void {
    const opened = { type: "request_opened" as const, request, ...question }
    const isSecret = question.permits?.some(({ permit }) => permit === "secret_file") ?? false
    options.record(isSecret ? { ...opened, preview: unkept } : opened)
    if (isSecret) options.pass({ type: "request_preview", request, preview: question.preview })
  }

  /** What is recorded of an answer; saves what it saves. */
  async function kept(
    request: string,
    { offer }: Question,
    { decision, by, note, input, answer, save: scope }: GivenAnswer,
  ): Promise<Answer> {
    const plain = {
      decision,
      by,
      ...(note !== undefined && { note }),
      ...(input !== undefined && { input }),
      ...(answer !== undefined && { answer }),
    }
    if (scope === undefined || offer === undefined) return plain
    const saved = { scope, rules: offer.rules }
    await options.save?.({ request, ...saved })
    return { ...plain, saved }
  }

  return {
    open(question, signal, judge) {
      const request = options.ids()
      const answered = new Promise<Answer>((resolve, reject) => {
        const settle = (answer: Answer) => {
          signal.removeEventListener("abort", interrupted)
          try {
            options.record({ type: "request_answered", request, ...answer })
            resolve(answer)
          } catch (error) {
            reject(error)
          }
        }
        const interrupted = () => {
          if (waiting.delete(request)) settle({ decision: "deny", by: "interrupt" })
        }
        // Before anybody is told: a face may answer while it is.
        waiting.set(request, { question, judge, signal, settle, interrupted })
        try {
          tell(request, question)
        } catch (error) {
          waiting.delete(request)
          throw error
        }
        if (signal.aborted) interrupted()
        else signal.addEventListener("abort", interrupted, { once: true })
      })
      return options.overhead.without(async () => {
        options.clock.pause()
        try {
          return await answered
        } finally {
          options.clock.resume()
        }
      })
    },

    async answer(request, given) {
      const found = waiting.get(request)
      if (found === undefined) return `no request ${request} waits`
      const { question, judge, signal, settle, interrupted } = found
      const abilities = { edits: judge !== undefined, saves: options.save !== undefined }
      const unfit = unfitAnswer(question, given, abilities)
      if (unfit !== null) return unfit
      if (given.input !== undefined) {
        const refused = (await judge?.(given.input)) ?? null
        if (refused !== null) return refused
      }

      // From here on nobody else answers it. It may have been answered while the input was judged.
      if (!waiting.delete(request)) return `no request ${request} waits`
      try {
        settle(await kept(request, question, given))
        return null
      } catch (error) {
        waiting.set(request, found)
        if (signal.aborted) interrupted()
        throw error
      }
    },
  }
}

const unkept: Preview = { format: "text", text: "(not kept: it may show a secret)" }
