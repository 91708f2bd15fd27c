import type { Message } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { messagesOf } from "../../../src/conversation/messages.ts"
import { ofType } from "../../support/kernel.ts"
import {
  answers,
  asksForSummary,
  converse,
  type ScriptedTurn,
  type SmallModel,
  says,
  tokensIn,
} from "./support/conversation.ts"

const line = "the quick brown fox jumps over the lazy dog. "
const task = "Say it sixty times, and mind the key: 7f3a."

/** A model that says the sentence so often and is done. */
function busy(steps: number, more: Partial<SmallModel> = {}): SmallModel {
  return {
    windowTokens: 8_000,
    toldTokens: 8_000,
    step: n => (n < steps ? says(n, line, 8) : answers("Done.")),
    ...more,
  }
}

function textsOf(message: Message | undefined): string[] {
  const content = message?.content ?? []
  return content.flatMap(part => ("text" in part ? [part.text] : []))
}

describe("a task that is longer than the window", () => {
  test("goes on from a record, and no request is too long", async () => {
    const talk = await converse(
      busy(90, { summary: n => answers(`Summary ${n}: I said the sentence.`) }),
    )
    const end = await talk.send(task)

    expect(end).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
    expect(talk.asked.map(tokensIn).filter(tokens => tokens > 8_000)).toEqual([])
    expect(ofType(talk.events, "step_failed")).toEqual([])
    const ended = ofType(talk.events, "compaction_ended")
    expect(ended.length).toBeGreaterThan(1)
    expect(ended.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(
      ended.map(() => "compacted 1"),
    )
    for (const { tokens } of ended) expect(tokens.after).toBeLessThan(tokens.before / 2)
    expect(textsOf(ended.at(-1)?.messages[0])).toEqual([
      expect.stringContaining("This record stands for its older part."),
      task,
      `[harness] Your summary of what was done:\nSummary ${ended.length - 1}: I said the sentence.`,
    ])
    expect(talk.messages).toEqual(messagesOf(await talk.log()))
  })

  test("is summarised by a request that begins with the whole of the one before", async () => {
    const talk = await converse(busy(60))
    await talk.send(task)

    const at = talk.asked.findIndex(asksForSummary)
    const [before, summary, after] = talk.asked.slice(at - 1, at + 2)
    expect(summary).toMatchObject({ instructions: before?.instructions, tools: before?.tools })
    expect(summary?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
    // What stays are whole steps: each a call and its result.
    expect(after?.messages.map(({ role }) => role).slice(0, 3)).toEqual([
      "user",
      "assistant",
      "tool",
    ])
    const kept = after?.messages.slice(1) ?? []
    expect(kept).toEqual(summary?.messages.slice(-kept.length - 1, -1))
  })

  test("keeps what the summary says from the faces, which would take it for an answer", async () => {
    const talk = await converse(busy(60, { summary: () => answers("A secret summary.") }))
    await talk.send(task)

    const said = talk.events.flatMap(event => (event.type === "text_delta" ? [event.text] : []))
    expect(said).toEqual(["Done."])
  })

  test("goes on where nobody knew the window, once a request was refused for its length", async () => {
    for (const names of [true, false]) {
      const talk = await converse(busy(70, { toldTokens: undefined, names }))
      const end = await talk.send(task)

      expect(end).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
      expect(ofType(talk.events, "step_failed")).toHaveLength(1)
      expect(ofType(talk.events, "compaction_ended").length).toBeGreaterThan(0)
    }
  })

  test("goes on where the window was said to be larger than it is", async () => {
    const talk = await converse(busy(70, { toldTokens: 20_000 }))
    expect(await talk.send(task)).toMatchObject({ ending: { status: "answered" } })
    expect(ofType(talk.events, "step_failed")).toHaveLength(1)
  })

  test("asks for no more output than the window has left", async () => {
    const talk = await converse(busy(30, { outputTokens: 6_000 }))
    await talk.send(task)

    const caps = talk.asked.map(({ maxOutputTokens }) => maxOutputTokens)
    expect(caps[0]).toBe(undefined)
    const last = talk.asked.filter(request => !asksForSummary(request)).at(-1)
    expect(last?.maxOutputTokens).toBeGreaterThan(1_000)
    expect(last && tokensIn(last) + (last.maxOutputTokens ?? 0)).toBeLessThanOrEqual(8_000)
  })
})

describe("a prompt that cannot be made shorter", () => {
  test("ends the turn after two tries, in which nobody is asked in vain", async () => {
    const talk = await converse(busy(1))
    const end = await talk.send(`${task} ${line.repeat(1_000)}`)

    expect(end.ending).toEqual({
      status: "limit_reached",
      limit: "context",
      message: expect.stringMatching(
        /^The conversation does not fit into the model's window of 8,000 tokens: the next request takes about 14,\d\d\d, and making room failed twice \(what cannot be left out .*\)\. Spent: .* harness run --resume c0ffee000001 "go on"$/,
      ),
    })
    expect(talk.asked).toEqual([])
    const ended = ofType(talk.events, "compaction_ended")
    expect(ended.map(({ attempt, status, cost }) => ({ attempt, status, cost }))).toEqual([
      { attempt: 1, status: "failed", cost: 0 },
      { attempt: 2, status: "failed", cost: 0 },
    ])
  })

  test("ends it also where the provider has to say so", async () => {
    const talk = await converse(busy(1, { toldTokens: undefined }))
    const end = await talk.send(`${task} ${line.repeat(1_000)}`)
    expect(end.ending).toMatchObject({ status: "limit_reached", limit: "context" })
    expect(talk.asked).toHaveLength(1)
  })

  test("is sent as long as it fits, although more than usual is full", async () => {
    const talk = await converse(busy(0))
    const end = await talk.send(`${task} ${line.repeat(450)}`)
    expect(end.ending).toEqual({ status: "answered" })
    expect(ofType(talk.events, "compaction_started")).toEqual([])
  })
})

test("a long task leaves no room for the latest steps, and is done all the same", async () => {
  const talk = await converse(
    busy(12, { step: n => (n < 12 ? says(n, line, 60) : answers("Done.")) }),
  )
  expect(await talk.send(`${task} ${line.repeat(350)}`)).toMatchObject({ answer: "Done." })
  const ended = ofType(talk.events, "compaction_ended")
  expect(ended.map(({ attempt }) => attempt)).toEqual(ended.map(() => 1))
  expect(ended.map(({ kept }) => kept)).toContain(0)
})

describe("a summary that fails", () => {
  const cut: ScriptedTurn = { ...answers("Half of"), finish: "length" }
  const failures: [string, ScriptedTurn, string][] = [
    ["the provider fails", { fails: "HTTP 500: oops" }, "HTTP 500: oops"],
    ["it is cut off", cut, "the summary was cut off"],
    ["it is empty", answers("  "), "the model wrote no summary"],
    ["a tool is called", says(1, "no"), "the model called a tool in the place of a summary"],
    ["it is too long", answers(line.repeat(500)), "the record is too long"],
  ]

  test.each(failures)(
    "is asked for once more, from a text that is cut, when %s",
    async (_when, failed, reason) => {
      const talk = await converse(
        busy(45, { summary: n => (n === 0 ? failed : answers("I said it.")) }),
      )
      expect(await talk.send(task)).toMatchObject({ ending: { status: "answered" } })

      const [first, second] = ofType(talk.events, "compaction_ended")
      expect(first).toMatchObject({ attempt: 1, status: "failed", messages: [], replaced: 0 })
      expect(first?.reason).toContain(reason)
      expect(second).toMatchObject({ attempt: 2, status: "compacted" })
      const again = talk.asked.filter(asksForSummary)[1]
      expect(again).toMatchObject({ tools: [], messages: [{ role: "user" }] })
      expect(textsOf(again?.messages[0])[0]).toContain(`user:\n${task}`)
    },
  )

  test("twice ends the turn, and what was there stays as it was", async () => {
    const talk = await converse(busy(45, { summary: () => answers("") }))
    const end = await talk.send(task)

    expect(end.ending).toMatchObject({
      status: "limit_reached",
      limit: "context",
      message: expect.stringContaining("(the model wrote no summary)"),
    })
    expect(talk.asked.filter(asksForSummary)).toHaveLength(2)
    expect(talk.messages).toEqual(messagesOf(await talk.log()))
    expect(talk.messages.length).toBeGreaterThan(20)
  })
})

test("an interrupt ends a compaction, and the conversation is as before", async () => {
  const stop = new AbortController()
  const talk = await converse(
    busy(45, {
      summary() {
        stop.abort("Ctrl-C")
        return answers("Too late.")
      },
    }),
  )
  const end = await talk.send(task, stop.signal)

  expect(end.ending).toEqual({ status: "interrupted", reason: "Ctrl-C" })
  expect(ofType(talk.events, "compaction_ended")).toMatchObject([
    { status: "failed", reason: "it was interrupted" },
  ])
  expect(talk.messages).toEqual(messagesOf(await talk.log()))
})

describe("what a compaction costs", () => {
  const price = { input: 1, output: 1 }

  test("is part of what is spent, and counts as a step", async () => {
    const talk = await converse(busy(45, { price }))
    await talk.send(task)

    const answered = [
      ...ofType(talk.events, "step_ended"),
      ...ofType(talk.events, "compaction_ended"),
    ]
    const cost = answered.reduce((sum, event) => sum + (event.cost ?? 0), 0)
    expect(talk.budget.spent().steps).toBe(answered.length)
    expect(talk.budget.spent().cost).toBeCloseTo(cost, 9)
  })

  test("is not begun when it could cost more than is left", async () => {
    const free = await converse(busy(45, { price }))
    await free.send(task)
    const [first] = ofType(free.events, "compaction_started")
    const before = ofType(free.events, "step_ended").filter(({ seq }) => seq < (first?.seq ?? 0))
    const spent = before.reduce((sum, { cost }) => sum + (cost ?? 0), 0)

    const talk = await converse(busy(45, { price, limits: { max_cost: spent + 0.004 } }))
    const end = await talk.send(task)
    expect(end.ending).toMatchObject({ status: "limit_reached", limit: "cost" })
    expect(ofType(talk.events, "compaction_started")).toEqual([])
  })
})

test("long texts of the user before are told in part by the record, and kept whole", async () => {
  const { step } = busy(70)
  const talk = await converse(busy(70, { step: n => (n === 0 ? answers("Read.") : step(n)) }))
  const long = `The file was: ${line.repeat(250)}`
  await talk.send(long)
  await talk.send(task)

  const compacted = ofType(talk.events, "compaction_ended").at(-1)
  const texts = textsOf(compacted?.messages[0])
  const [link] = ofType(talk.events, "compaction_ended").flatMap(({ evidence }) => evidence)
  expect(link).toMatchObject({ role: "message", bytes: Buffer.byteLength(long) })
  expect(texts[1]).toMatch(/^The file was: the quick brown fox/)
  expect(texts[1]).toContain(`all of it is in output:${link?.sha256}]`)
  expect(texts[2]).toBe(task)
})
