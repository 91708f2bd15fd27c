import type { AnswerTo, CommandAnswer, Ending, KernelCommand } from "@harness/protocol"
import { createSession } from "../../../src/terminal/app/session.ts"
import { createStore } from "../../../src/terminal/app/store.ts"
import type { TerminalEnd } from "../../../src/terminal/contracts.ts"

export const conversation = "c0ffee"
const spent = { steps: 1, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost: null }

/** A session over a kernel whose turns end when the test says so, and what was asked of it. */
export function talk({ refuses = [] }: { refuses?: readonly KernelCommand["type"][] } = {}) {
  const asked: KernelCommand[] = []
  const turns: ((ending: Ending) => void)[] = []
  const given: string[] = []
  const ends: TerminalEnd[] = []
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
    end: end => ends.push(end),
  })
  return {
    session,
    store,
    asked,
    given,
    ends,
    now: () => nowMs,
    dispatch,
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
