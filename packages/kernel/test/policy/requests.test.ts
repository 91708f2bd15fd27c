import type { EventBody, PassingBody } from "@harness/protocol"
import { expect, test } from "vitest"
import { createTurnClock } from "../../src/budget/turn-clock.ts"
import { createOverhead } from "../../src/loop/overhead.ts"
import { createRequests, type Question } from "../../src/policy/requests.ts"

const question: Question = {
  subject: { type: "action", action_id: "a1" },
  title: "write_file",
  preview: { format: "diff", text: "-a\n+b" },
}

function open(clock = createTurnClock(() => 0)) {
  const recorded: EventBody[] = []
  const passed: PassingBody[] = []
  let count = 0
  const requests = createRequests({
    overhead: createOverhead(() => 0),
    clock,
    record: body => recorded.push(body),
    pass: body => passed.push(body),
    ids: () => `r${++count}`,
  })
  return { requests, recorded, passed }
}

test("a request waits for its answer, and both are recorded", async () => {
  const { requests, recorded } = open()
  const waiting = requests.open(question, new AbortController().signal)
  expect(requests.answer("r1", { decision: "deny", by: "user", note: "not this file" })).toBe(true)
  expect(await waiting).toEqual({ decision: "deny", by: "user", note: "not this file" })
  expect(recorded).toEqual([
    { type: "request_opened", request: "r1", ...question },
    {
      type: "request_answered",
      request: "r1",
      decision: "deny",
      by: "user",
      note: "not this file",
    },
  ])
})

test("what may show a secret file is told and not recorded", async () => {
  const { requests, recorded, passed } = open()
  const permits = [{ permit: "secret_file" as const, reason: ".env holds secrets" }]
  const asked = requests.open({ ...question, permits }, new AbortController().signal)
  requests.answer("r1", { decision: "deny", by: "user" })
  await asked
  expect(recorded).toEqual([
    {
      type: "request_opened",
      request: "r1",
      ...question,
      permits,
      preview: { format: "text", text: "(not kept: it may show a secret)" },
    },
    { type: "request_answered", request: "r1", decision: "deny", by: "user" },
  ])
  expect(passed).toEqual([{ type: "request_preview", request: "r1", preview: question.preview }])
})

test("a turn's time stands still while a person is waited for", async () => {
  let nowMs = 0
  const clock = createTurnClock(() => nowMs)
  const { requests } = open(clock)
  nowMs = 100
  const waiting = requests.open(question, new AbortController().signal)
  nowMs = 5_000
  requests.answer("r1", { decision: "approve", by: "user" })
  await waiting
  nowMs = 5_050
  expect(clock.elapsedMs()).toBe(150)
})

test("a second answer finds nothing to answer", async () => {
  const { requests, recorded } = open()
  const waiting = requests.open(question, new AbortController().signal)
  expect(requests.answer("r1", { decision: "approve", by: "user" })).toBe(true)
  expect(requests.answer("r1", { decision: "deny", by: "user" })).toBe(false)
  expect(requests.answer("r7", { decision: "deny", by: "user" })).toBe(false)
  expect(await waiting).toEqual({ decision: "approve", by: "user" })
  expect(recorded).toHaveLength(2)
})

test("a face may answer while it is told of the request, and the others hear of both in order", async () => {
  const heard: string[] = []
  const requests = createRequests({
    overhead: createOverhead(() => 0),
    clock: createTurnClock(() => 0),
    record(body) {
      if (body.type === "request_opened") {
        expect(requests.answer("r1", { decision: "approve", by: "user" })).toBe(true)
      }
      heard.push(body.type)
    },
    pass: () => undefined,
    ids: () => "r1",
  })
  const answer = await requests.open(question, new AbortController().signal)
  expect(answer).toEqual({ decision: "approve", by: "user" })
  expect(heard).toEqual(["request_opened", "request_answered"])
})

test("a request that cannot be put on record, or its answer, fails the one who asked", async () => {
  for (const unwritable of ["request_opened", "request_answered"]) {
    const requests = createRequests({
      overhead: createOverhead(() => 0),
      clock: createTurnClock(() => 0),
      record(body) {
        if (body.type === unwritable) throw new Error(`no room for ${body.type}`)
      },
      pass: () => undefined,
      ids: () => "r1",
    })
    const asked = requests.open(question, new AbortController().signal)
    const answered = requests.answer("r1", { decision: "approve", by: "user" })
    await expect(asked).rejects.toThrow(`no room for ${unwritable}`)
    expect(answered).toBe(unwritable === "request_answered")
  }
})

test("an interrupt while a person is waited for denies", async () => {
  const { requests } = open()
  const stop = new AbortController()
  const waiting = requests.open(question, stop.signal)
  stop.abort("SIGINT")
  expect(await waiting).toEqual({ decision: "deny", by: "interrupt" })
  expect(await requests.open(question, stop.signal)).toEqual({ decision: "deny", by: "interrupt" })
  expect(requests.answer("r2", { decision: "approve", by: "user" })).toBe(false)
})

test("the time in which a person is waited for is not harness's own", async () => {
  let nowMs = 0
  const overhead = createOverhead(() => nowMs)
  const requests = createRequests({
    overhead,
    clock: createTurnClock(() => 0),
    record: () => {},
    pass: () => {},
    ids: () => "r1",
  })

  const waiting = requests.open(question, new AbortController().signal)
  nowMs += 120_000
  requests.answer("r1", { decision: "approve", by: "user" })
  await waiting
  nowMs += 2
  expect(overhead.lap()).toBe(2)
})
