import type { DurableEvent, EventBody, ResultPart } from "@harness/protocol"
import { expect, test } from "vitest"
import { messagesOf } from "../../src/conversation/messages.ts"
import { at } from "./support/open-log.ts"
import { calls, ended, proposed, reply, results, started, task, turn } from "./support/turn.ts"

function numbered(bodies: readonly EventBody[]): DurableEvent[] {
  return bodies.map((body, index) =>
    body.type === "turn_ended"
      ? { seq: index + 1, at, ...body, head: "0".repeat(64) }
      : { seq: index + 1, at, ...body },
  )
}

function user(text: string): EventBody {
  return { type: "user_message", message: { role: "user", content: [{ type: "text", text }] } }
}

/** The results that follow the calls after these events. */
function resultsAfter(...events: EventBody[]): readonly ResultPart[] {
  const messages = messagesOf(numbered([task, reply(calls), ...events]))
  const last = messages.at(-1)
  return last?.role === "tool" ? last.content : []
}

const lost = (call_id: string, tool: string, text: string) => ({
  type: "result",
  call_id,
  tool,
  status: "unknown",
  text,
})
const notRun = "harness ended before this call was begun: it did not run."
const cut = "harness ended before the result of this call was handed on."

test("a whole turn gives the user's, the model's and the results' messages in order", () => {
  const answer = { role: "assistant", content: [{ type: "text", text: "Done." }] }
  expect(messagesOf(numbered(turn))).toEqual([
    task.type === "user_message" && task.message,
    calls,
    results,
    answer,
  ])
})

test("a call that left no trace did not run", () => {
  expect(resultsAfter()).toEqual([
    lost("c1", "read", notRun),
    lost("c2", "read", notRun),
    lost("c3", "write", notRun),
  ])
})

test("an action that was begun and not ended is told as one that may have had its effect", () => {
  const [first, second, third] = resultsAfter(
    proposed("c1", "a1", "read_file"),
    proposed("c2", "a2", "read_file"),
    proposed("c3", "a3", "write_file"),
    started("a1"),
    ended("a1", "read_file"),
    started("a3"),
  )
  expect(first?.text).toBe(`${cut}\nread_file ended (ok): {"bytes":2}`)
  expect(second?.text).toBe(`${cut}\nread_file was proposed and did not run.`)
  expect(third?.text).toBe(
    `${cut}\nwrite_file was begun and nobody saw its end: it may have had its effect. Look before you repeat it.`,
  )
})

test("a program that was cut off is told with its last actions, and how many more there were", () => {
  const call = { type: "call" as const, id: "c1", tool: "run_program", arguments: "{}" }
  const program: EventBody = {
    type: "program_started",
    turn: 1,
    step: 1,
    program: 1,
    call_id: "c1",
    language: "python",
    source: "",
  }
  const actions = Array.from({ length: 40 }, (_, index) => `a${index + 1}`)
  const events = numbered([
    task,
    reply({ role: "assistant", content: [call] }),
    program,
    ...actions.flatMap(id => [
      proposed("c1", id, "read_file"),
      started(id),
      ended(id, "read_file"),
    ]),
    proposed("c1", "a41", "write_file"),
    started("a41"),
  ])
  const message = messagesOf(events).at(-1)
  const lines = message?.role === "tool" ? (message.content[0]?.text.split("\n") ?? []) : []
  expect(lines).toHaveLength(34)
  expect(lines[0]).toContain("harness ended while this program was running")
  expect(lines[1]).toBe("Before the 32 actions below, 9 more ended.")
  expect(lines.at(-1)).toContain("write_file was begun and nobody saw its end")
})

test("results that are there are kept, and only the missing ones are filled in, in the calls' order", () => {
  const [, second] = results.content
  const only = second === undefined ? [] : [second]
  const some: EventBody = {
    type: "results",
    turn: 1,
    step: 1,
    message: { role: "tool", content: only },
  }
  expect(resultsAfter(some)).toEqual([
    lost("c1", "read", notRun),
    second,
    lost("c3", "write", notRun),
  ])
})

test("what the user said while calls ran comes after their results", () => {
  const some: EventBody = { type: "results", turn: 1, step: 1, message: results }
  const messages = messagesOf(numbered([task, reply(calls), user("Hurry."), some]))
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"])
})

test("a turn that was interrupted in its calls can be followed by another", () => {
  const messages = messagesOf(numbered([task, reply(calls), user("Go on.")]))
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"])
})

test("two calls that a provider gave one id get a result each", () => {
  const call = { type: "call" as const, id: "same", tool: "read", arguments: "{}" }
  const result = { type: "result" as const, call_id: "same", tool: "read", status: "ok", text: "1" }
  const events = numbered([
    task,
    reply({ role: "assistant", content: [call, call] }),
    {
      type: "results",
      turn: 1,
      step: 1,
      message: { role: "tool", content: [result, { ...result, text: "2" }] },
    },
  ])
  const message = messagesOf(events).at(-1)
  expect(message?.role === "tool" && message.content.map(({ text }) => text)).toEqual(["1", "2"])
})

test("an id that an earlier step used says nothing of a later one's call", () => {
  const again: EventBody = reply(calls, { turn: 1, step: 2 })
  const events = numbered([
    task,
    reply(calls),
    proposed("c1", "a1", "read_file"),
    started("a1"),
    { type: "results", turn: 1, step: 1, message: results },
    again,
  ])
  const message = messagesOf(events).at(-1)
  expect(message?.role === "tool" && message.content[0]?.text).toBe(notRun)
})

test("a reply without content is left out, because providers refuse it", () => {
  const messages = messagesOf(
    numbered([task, reply({ role: "assistant", content: [] }), user("?")]),
  )
  expect(messages.map(({ role }) => role)).toEqual(["user", "user"])
})
