import type {
  AnswerTo,
  CommandAnswer,
  ConversationSummary,
  DurableEvent,
  KernelCommand,
} from "@harness/protocol"
import { expect, test } from "vitest"
import { earlierMessages } from "../../../src/terminal/input/earlier.ts"
import { recorded } from "../../support/recorded.ts"

test("what was said before is that of the project's other conversations, without what harness said", async () => {
  const said: Record<string, readonly DurableEvent[]> = {
    old: userMessages(["# AGENTS.md\nBe short.", "the oldest"]),
    new: userMessages(["the newer"], ["[The user interrupted you."], ["the newest"]),
  }
  const kernel = {
    async dispatch<Command extends KernelCommand>(command: Command) {
      const answer = answerTo(command)
      if (isAnswerTo(answer, command)) return answer
      throw new Error(`nobody answers ${command.type}`)
    },
  }
  function answerTo(command: KernelCommand): CommandAnswer {
    if (command.type === "conversations") {
      const conversations = ["this", "new", "old"].map(id => ({ ...summary, id }))
      return { type: "conversations", conversations, damaged: [] }
    }
    const id = "conversation" in command ? command.conversation : ""
    return { type: "show", summary: { ...summary, id }, events: [...(said[id] ?? [])] }
  }

  expect(await earlierMessages(kernel, { folder: "/p", conversation: "this" })).toEqual([
    "the oldest",
    "the newer",
    "the newest",
  ])
})

const summary: ConversationSummary = {
  id: "",
  short_id: "",
  title: "",
  folder: "/p",
  remote: null,
  model: "a/m",
  started_at: "2026-11-30T10:00:00.000Z",
  active_at: "2026-11-30T11:00:00.000Z",
  turns: 1,
  steps: 1,
  cost: null,
  ending: null,
  open: false,
}

function userMessages(...messages: readonly (readonly string[])[]): DurableEvent[] {
  const events = messages.map(texts => ({
    type: "user_message" as const,
    message: {
      role: "user" as const,
      content: texts.map(text => ({ type: "text" as const, text })),
    },
  }))
  return recorded(events).flatMap(event => ("seq" in event ? [event] : []))
}

function isAnswerTo<Command extends KernelCommand>(
  answer: CommandAnswer,
  command: Command,
): answer is AnswerTo<Command["type"]> {
  return answer.type === command.type || answer.type === "failed"
}
