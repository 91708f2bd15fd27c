import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type DurableEvent,
  type EventBody,
  Message,
  type Message as MessageType,
} from "@harness/protocol"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { readEvents } from "../../src/conversation/log-on-disk.ts"
import { messagesOf } from "../../src/conversation/messages.ts"
import { headFile } from "../../src/conversation/stored-head.ts"
import { beforeOf } from "../../src/resume/before.ts"
import { endingsOf, type LostProcesses, lostIn } from "../../src/resume/lost.ts"
import { startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

/** A conversation in which much happened: parallel reads, changes, commands, a service, two turns. */
async function lived() {
  const kernel = startKernel(
    [
      calls(1, ["look", { path: "a.txt" }], ["look", { path: "none" }]),
      calls(2, ["note", { path: "b.txt", text: "b" }], ["call", { command: "echo $TMPDIR" }]),
      calls(3, ["serve", { command: "echo up; sleep 300", ready: "up" }]),
      calls(4, ["fly", {}], ["look", "{"]),
      says("Done."),
      calls(5, ["look", { path: "b.txt" }]),
      says("Done again."),
    ],
    { files: { "a.txt": "a" } },
  )
  const conversation = await kernel.open()
  await kernel.send(conversation, "First.", "true")
  await kernel.send(conversation, "Second.")
  await kernel.kernel.dispatch({ type: "close", conversation })
  return { kernel, conversation }
}

function numbered(bodies: readonly EventBody[], from: number): DurableEvent[] {
  return bodies.map((body, index) => {
    const event = { seq: from + index + 1, at: "2026-01-02T03:04:05.000Z" }
    return body.type === "turn_ended"
      ? { ...event, ...body, head: "0".repeat(64) }
      : { ...event, ...body }
  })
}

/** What a resume puts on record of a prefix; the processes that ran are taken to have been ended. */
function endingsAfter(prefix: readonly DurableEvent[]): DurableEvent[] {
  const lost = lostIn(prefix)
  const running = prefix.flatMap(event => {
    const process = event.type === "action_ended" ? event.receipt.process : undefined
    return process === undefined || !lost.processes.has(process.id) ? [] : [process]
  })
  const processes: LostProcesses = new Map(
    running.map(process => {
      const receipt = { ...process, status: "session_closed" as const }
      return [process.id, { receipt, evidence: [] }]
    }),
  )
  return numbered(endingsOf(lost, { events: prefix, processes, payloads: [] }), prefix.length)
}

function isValid(messages: readonly MessageType[]): boolean {
  return messages.every((message, index) => {
    const callsOf = (one: MessageType | undefined) =>
      one?.role === "assistant" ? one.content.filter(part => part.type === "call") : []
    if (message.role === "tool") {
      const made = callsOf(messages[index - 1]).map(({ id }) => id)
      return made.join() === message.content.map(({ call_id }) => call_id).join()
    }
    return callsOf(message).length === 0 || messages[index + 1]?.role === "tool"
  })
}

const saidBy = (events: readonly DurableEvent[]) =>
  events.flatMap(event => (event.type === "user_message" ? [event.message] : []))

test("every prefix of a log comes to valid messages, with no message lost and nothing left open", async () => {
  const { kernel, conversation } = await lived()
  const events = readEvents(findConversation(kernel.home, conversation))
  for (let count = 1; count <= events.length; count += 1) {
    const prefix = events.slice(0, count)
    const whole = [...prefix, ...endingsAfter(prefix)]
    const messages = messagesOf(whole)
    expect({ count, valid: isValid(messages) }).toEqual({ count, valid: true })
    expect(messages).toEqual(messagesOf(prefix))
    expect(messages.filter(({ role }) => role === "user")).toEqual(saidBy(prefix))
    expect(endingsAfter(whole)).toEqual([])

    const begun = whole.flatMap(event =>
      event.type === "action_proposed" ? [event.action_id] : [],
    )
    const ended = whole.flatMap(event => (event.type === "action_ended" ? [event.action_id] : []))
    expect(ended.toSorted()).toEqual(begun.toSorted())
    expect(beforeOf(whole)?.actions).toBe(begun.length)
  }
})

test("from before each request of a log come exactly the messages that the request had", async () => {
  const { kernel, conversation } = await lived()
  const events = readEvents(findConversation(kernel.home, conversation))
  const live = kernel.requests().map(({ messages }) => Message.array().parse(messages))
  const resumed = events.flatMap((event, index) =>
    event.type === "step_started" ? [messagesOf(events.slice(0, index))] : [],
  )
  expect(resumed).toEqual(live)
})

test("a log that was cut after any of these records is taken up, and the conversation goes on", async () => {
  const { kernel, conversation } = await lived()
  const { log } = findConversation(kernel.home, conversation)
  const lines = readFileSync(log, "utf8").split("\n")
  for (const last of ["conversation_started", "user_message", "action_started", "results"]) {
    await kernel.kernel.dispatch({ type: "close", conversation })
    const index = lines.findIndex(line => line.includes(`"type":"${last}"`))
    writeFileSync(
      log,
      lines
        .slice(0, index + 1)
        .join("\n")
        .concat("\n"),
    )
    rmSync(headFile(log))

    await kernel.resume(conversation, [calls(9, ["look", { path: "a.txt" }]), says(last)])
    const answer = await kernel.send(conversation, "Go on.")
    expect(answer).toMatchObject({ ending: { status: "answered" }, answer: last })
    const messages = Message.array().parse(kernel.requests().at(-1)?.messages)
    expect(isValid(messages)).toBe(true)
  }
})

test.each(["note", "call"])(
  "what %s left, of which nobody wrote the end, is on record after a resume, and an audit holds",
  async action => {
    const { kernel, conversation } = await lived()
    const found = findConversation(kernel.home, conversation)
    const lines = readFileSync(found.log, "utf8").split("\n")
    const proposed = lines.findIndex(line => line.includes(`"action":"${action}"`))
    writeFileSync(
      found.log,
      lines
        .slice(0, proposed + 2)
        .join("\n")
        .concat("\n"),
    )
    rmSync(headFile(found.log))
    rmSync(join(found.evidence, "index.jsonl"))

    await kernel.resume(conversation, [says("I see.")])
    await kernel.send(conversation, "Go on.")
    await kernel.kernel.dispatch({ type: "close", conversation })
    const { findings } = await auditConversation(found)
    expect(findings).toEqual([expect.objectContaining({ status: "missing", place: "head.json" })])
  },
)
