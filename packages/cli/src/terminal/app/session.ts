import type { Kernel } from "@harness/kernel"
import type { Failure } from "@harness/protocol"
import { toFailure } from "@harness/protocol"
import type { GateAnswer, TerminalEnd } from "../contracts.ts"
import type { HistoryItem, QueuedMessage, SentImage } from "../view/view.ts"
import type { Store } from "./store.ts"

/** What a person does to the conversation, whichever key or command it came by. */
export interface Session {
  /** Sends a message, or hands it to the turn that runs. */
  submit(text: string, images: readonly SentImage[]): void
  /** The first time the running step ends, soon after that the turn. */
  escape(): void
  /** Ends the running turn; false when none runs. */
  interrupt(): boolean
  /** False when it was not taken; why not is printed. */
  answer(request: string, answer: GateAnswer): Promise<boolean>
  print(...items: HistoryItem[]): void
  /** Runs something that may fail: what went wrong is printed. */
  attempt(work: () => Promise<void>): void
  end(end: TerminalEnd): void
}

/** Esc so soon after another one means the turn. */
const twiceMs = 2_000

export function createSession({
  kernel,
  conversation,
  store,
  now,
  giveBack,
  end,
}: {
  kernel: Pick<Kernel, "dispatch">
  conversation: string
  store: Store
  now: () => number
  /** Puts a text into the line that is typed. */
  giveBack: (text: string) => void
  end: (end: TerminalEnd) => void
}): Session {
  let isRunning = false
  let escapedAtMs = Number.NEGATIVE_INFINITY

  const print = (...items: HistoryItem[]) => store.tell({ type: "print", items })

  async function send({ text, images }: QueuedMessage): Promise<void> {
    isRunning = true
    const sent = images.length === 0 ? {} : { images: [...images] }
    const answer = await kernel.dispatch({ type: "send", conversation, text, ...sent })
    isRunning = false
    if (answer.type === "failed") print(failed(answer.failure))
    const goesOn = answer.type === "send" && answer.ending.status === "answered"
    await deliverQueued(goesOn)
  }

  /** What no step took: it is the next message, or comes back to be thought over. */
  async function deliverQueued(goesOn: boolean): Promise<void> {
    const { queued } = store.view()
    if (queued.length === 0) return

    await kernel.dispatch({ type: "unqueue", conversation })
    store.tell({ type: "unqueued" })
    const text = queued.map(message => message.text).join("\n\n")
    if (goesOn) await send({ text, images: queued.flatMap(({ images }) => images) })
    else giveBack(text)
  }

  async function queue(message: QueuedMessage): Promise<void> {
    store.tell({ type: "queued", message })
    const { text, images } = message
    const sent = images.length === 0 ? {} : { images: [...images] }
    const answer = await kernel.dispatch({ type: "queue", conversation, text, ...sent })
    // The turn had just ended.
    if (answer.type === "failed" && !isRunning) await deliverQueued(true)
  }

  function attempt(work: () => Promise<void>): void {
    work().catch(error => print(failed(toFailure(error))))
  }

  function interrupt(scope: "step" | "turn"): boolean {
    if (!isRunning) return false
    attempt(async () => {
      await kernel.dispatch({ type: "interrupt", conversation, reason: "by the user", scope })
    })
    return true
  }

  return {
    print,
    attempt,
    end,
    submit: (text, images) =>
      attempt(() => (isRunning ? queue({ text, images }) : send({ text, images }))),

    escape() {
      const isSecond = now() - escapedAtMs < twiceMs
      if (interrupt(isSecond ? "turn" : "step")) escapedAtMs = now()
    },

    interrupt: () => interrupt("turn"),

    async answer(request, answer) {
      const dispatched = kernel.dispatch({ type: "answer", conversation, request, ...answer })
      const answered = await dispatched.catch(error => ({
        type: "failed" as const,
        failure: toFailure(error),
      }))
      if (answered.type === "failed") print(failed(answered.failure))
      return answered.type !== "failed"
    },
  }
}

function failed({ code, message, next }: Failure): HistoryItem {
  const text = `error ${code}: ${message}${next === "" ? "" : ` ${next}`}`
  return { type: "notice", level: "bad", text }
}
