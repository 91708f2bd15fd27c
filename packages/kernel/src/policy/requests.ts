import type { AnsweredBy, EventBody } from "@harness/protocol"

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
  ids: () => string
}): Requests {
  const waiting = new Map<string, (answer: Answer) => void>()

  return {
    open(question, signal) {
      const request = options.ids()
      return new Promise((resolve, reject) => {
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
          options.record({ type: "request_opened", request, ...question })
        } catch (error) {
          waiting.delete(request)
          throw error
        }
        if (signal.aborted) interrupted()
        else signal.addEventListener("abort", interrupted, { once: true })
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
