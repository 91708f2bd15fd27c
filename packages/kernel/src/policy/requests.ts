import type { AnsweredBy, EventBody, PassingBody, Preview } from "@harness/protocol"
import type { PersonClock } from "@harness/sdk"
import type { Overhead } from "../loop/overhead.ts"

export type Answer = { decision: "approve" | "deny"; by: AnsweredBy; note?: string }

type RequestOpened = Extract<EventBody, { type: "request_opened" }>

export type Question = Pick<RequestOpened, "subject" | "title" | "permits" | "preview">

/** Requests to a person: opened here, answered by the command `answer`. */
export interface Requests {
  /** Resolves with the answer; with a deny by `interrupt` when `signal` is aborted first. */
  open(question: Question, signal: AbortSignal): Promise<Answer>
  /** False when no such request waits: it was answered already, or never opened. */
  answer(request: string, answer: Answer): boolean
}

export function createRequests(options: {
  record: (body: EventBody) => void
  pass: (body: PassingBody) => void
  ids: () => string
  /** People are waited for, not harness. */
  overhead: Pick<Overhead, "without">
  /** Stands still meanwhile. */
  clock: PersonClock
}): Requests {
  const waiting = new Map<string, (answer: Answer) => void>()

  /** What shows a secret file is shown and not kept: it may yet be denied. */
  function tell(request: string, question: Question): void {
    const opened = { type: "request_opened" as const, request, ...question }
    const isSecret = question.permits?.some(({ permit }) => permit === "secret_file") ?? false
    options.record(isSecret ? { ...opened, preview: unkept } : opened)
    if (isSecret) options.pass({ type: "request_preview", request, preview: question.preview })
  }

  return {
    open(question, signal) {
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
        waiting.set(request, settle)
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
    answer(request, answer) {
      const settle = waiting.get(request)
      waiting.delete(request)
      // The other faces are told of the request first, and of its answer then.
      if (settle !== undefined) queueMicrotask(() => settle(answer))
      return settle !== undefined
    },
  }
}

const unkept: Preview = { format: "text", text: "(not kept: it may show a secret)" }
