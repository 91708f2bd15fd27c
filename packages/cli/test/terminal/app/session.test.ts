import type { AnswerTo, CommandAnswer, Ending, KernelCommand } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { createSession } from "../../../src/terminal/app/session.ts"
import { createStore } from "../../../src/terminal/app/store.ts"

const conversation = "c0ffee"
const spent = { steps: 1, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost: null }

/** A session over a kernel whose turns end when the test says so, and what was asked of it. */
function talk({ refuses = [] }: { refuses?: readonly KernelCommand["type"][] } = {}) {
  const asked: KernelCommand[] = []
  const turns: ((ending: Ending) => void)[] = []
  const given: string[] = []
  let nowMs = 0

  async function answerTo(command: KernelCommand): Promise<CommandAnswer> {
    asked.push(command)
    if (refuses.includes(command.type)) {
      const failure = { code: "command_invalid", message: "No.", next: "", exit: 2, details: {} }
      return { type: "failed", failure }
    }
    if (command.type === "unqueue") return { type: "unqueue", texts: [] }
    if (command.type === "queue") return { type: "queue" }
    if (command.type !== "send") return { type: "interrupt" }
    const { promise, resolve } = Promise.withResolvers<Ending>()
    turns.push(resolve)
    const ending = await promise
    return { type: "send", ending, verification: "not_requested", answer: "", spent }
  }

  async function dispatch<Command extends KernelCommand>(
    command: Command,
  ): Promise<AnswerTo<Command["type"]>> {
    const answer = await answerTo(command)
    if (isAnswerTo(command, answer)) return answer
    throw new Error(`${command.type} was answered with ${answer.type}`)
  }

  const store = createStore({ conversation, now: () => nowMs, changed: () => {} })
  const session = createSession({
    kernel: { dispatch },
    conversation,
    store,
    now: () => nowMs,
    giveBack: text => given.push(text),
    end: () => {},
  })
  return {
    session,
    store,
    asked,
    given,
    later: (ms: number) => {
      nowMs += ms
    },
    endTurn: async (ending: Ending) => {
      turns.shift()?.(ending)
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

function isAnswerTo<Command extends KernelCommand>(
  command: Command,
  answer: CommandAnswer,
): answer is AnswerTo<Command["type"]> {
  return answer.type === command.type || answer.type === "failed"
}

const answered: Ending = { status: "answered" }

describe("a message", () => {
  test("is sent while nothing runs, and handed to the turn that runs", async () => {
    const { session, asked, store } = talk()
    session.submit("one", [])
    session.submit("two", [])

    expect(asked).toEqual([
      { type: "send", conversation, text: "one" },
      { type: "queue", conversation, text: "two" },
    ])
    expect(store.view().queued).toEqual([{ text: "two", images: [] }])
  })

  test("that no step took is the next one when the turn was answered", async () => {
    const { session, asked, store, endTurn } = talk()
    session.submit("one", [])
    session.submit("two", [])
    session.submit("three", [])
    await endTurn(answered)

    expect(asked.slice(3)).toEqual([
      { type: "unqueue", conversation },
      { type: "send", conversation, text: "two\n\nthree" },
    ])
    expect(store.view().queued).toEqual([])
  })

  test("that no step took comes back to be thought over when the turn was interrupted", async () => {
    const { session, asked, given, endTurn } = talk()
    session.submit("one", [])
    session.submit("two", [])
    await endTurn({ status: "interrupted", reason: "by the user" })

    expect(asked.at(-1)).toEqual({ type: "unqueue", conversation })
    expect(given).toEqual(["two"])
  })

  test("that is refused is told why", async () => {
    const { session, store } = talk({ refuses: ["send"] })
    session.submit("one", [])
    await new Promise(resolve => setImmediate(resolve))

    expect(store.view().fresh).toEqual([
      { type: "notice", level: "bad", text: "error command_invalid: No." },
    ])
  })
})

describe("Esc", () => {
  test("interrupts the step, and soon again the turn", () => {
    const { session, asked, later } = talk()
    session.submit("one", [])
    session.escape()
    later(500)
    session.escape()
    later(60_000)
    session.escape()

    const reason = "by the user"
    expect(asked.slice(1)).toEqual([
      { type: "interrupt", conversation, reason, scope: "step" },
      { type: "interrupt", conversation, reason, scope: "turn" },
      { type: "interrupt", conversation, reason, scope: "step" },
    ])
  })

  test("does nothing while nothing runs", () => {
    const { session, asked } = talk()
    session.escape()
    expect(session.interrupt()).toBe(false)
    expect(asked).toEqual([])
  })
})
