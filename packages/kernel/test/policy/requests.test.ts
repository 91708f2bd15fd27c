import type { EventBody, JsonObject, PassingBody } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { createTurnClock } from "../../src/budget/turn-clock.ts"
import { createOverhead } from "../../src/loop/overhead.ts"
import { createRequests, type GivenAnswer, type Question } from "../../src/policy/requests.ts"

const question: Question = {
  subject: { type: "action", action_id: "a1" },
  title: "write_file",
  preview: { format: "diff", text: "-a\n+b" },
}

function open(
  clock = createTurnClock(() => 0),
  save?: Parameters<typeof createRequests>[0]["save"],
) {
  const recorded: EventBody[] = []
  const passed: PassingBody[] = []
  let count = 0
  const requests = createRequests({
    overhead: createOverhead(() => 0),
    clock,
    record: body => recorded.push(body),
    pass: body => passed.push(body),
    ids: () => `r${++count}`,
    ...(save && { save }),
  })
  return { requests, recorded, passed }
}

test("a request waits for its answer, and both are recorded", async () => {
  const { requests, recorded } = open()
  const waiting = requests.open(question, new AbortController().signal)
  const answer = { decision: "deny", by: "user", note: "not this file" } as const
  expect(await requests.answer("r1", answer)).toBeNull()
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
  await requests.answer("r1", { decision: "deny", by: "user" })
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
  void requests.answer("r1", { decision: "approve", by: "user" })
  await waiting
  nowMs = 5_050
  expect(clock.elapsedMs()).toBe(150)
})

test("a second answer finds nothing to answer", async () => {
  const { requests, recorded } = open()
  const waiting = requests.open(question, new AbortController().signal)
  const answers = [
    requests.answer("r1", { decision: "approve", by: "user" }),
    requests.answer("r1", { decision: "deny", by: "user" }),
    requests.answer("r7", { decision: "deny", by: "user" }),
  ]
  expect(await Promise.all(answers)).toEqual([null, "no request r1 waits", "no request r7 waits"])
  expect(await waiting).toEqual({ decision: "approve", by: "user" })
  expect(recorded).toHaveLength(2)
})

test("a face may answer while it is told of the request, and the others hear of both in order", async () => {
  const heard: string[] = []
  let taken: Promise<string | null> | undefined
  const requests = createRequests({
    overhead: createOverhead(() => 0),
    clock: createTurnClock(() => 0),
    record(body) {
      if (body.type === "request_opened") {
        taken = requests.answer("r1", { decision: "approve", by: "user" })
      }
      heard.push(body.type)
    },
    pass: () => undefined,
    ids: () => "r1",
  })
  const answer = await requests.open(question, new AbortController().signal)
  expect(answer).toEqual({ decision: "approve", by: "user" })
  expect(await taken).toBeNull()
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
    const wasWaiting = unwritable === "request_answered"
    expect(await answered).toBe(wasWaiting ? null : "no request r1 waits")
  }
})

test("an interrupt while a person is waited for denies", async () => {
  const { requests } = open()
  const stop = new AbortController()
  const waiting = requests.open(question, stop.signal)
  stop.abort("SIGINT")
  expect(await waiting).toEqual({ decision: "deny", by: "interrupt" })
  expect(await requests.open(question, stop.signal)).toEqual({ decision: "deny", by: "interrupt" })
  expect(await requests.answer("r2", { decision: "approve", by: "user" })).toBe(
    "no request r2 waits",
  )
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
  void requests.answer("r1", { decision: "approve", by: "user" })
  await waiting
  nowMs += 2
  expect(overhead.lap()).toBe(2)
})

describe("an answer that does not fit is refused, and the request waits on", () => {
  const action = { type: "action", action_id: "a1" } as const
  const approve = { decision: "approve", by: "user" } as const
  const deny = { decision: "deny", by: "user" } as const
  const offer = { rules: [{ verdict: "allow" as const, command: "npm test" }], uncovered: [] }

  test.each<[Partial<Question>, GivenAnswer, string]>([
    [{}, { ...deny, input: {} }, "a denial has no input"],
    [{}, { ...approve, input: {} }, "nothing can run in the place of what was asked"],
    [{}, { ...approve, save: "project" }, "the request offers nothing to save"],
    [{ offer }, { ...deny, save: "project" }, "a denial saves nothing"],
    [{}, { ...approve, answer: "a" }, "only a question has an answer"],
    [{ subject: questionOf("a") }, approve, "it needs an answer"],
    [
      { subject: questionOf("a") },
      { ...deny, answer: "a" },
      "a denial answers nothing; give a note",
    ],
    [{ subject: wishFor("x") }, { ...approve, answer: "y" }, "y is none of x"],
  ])("%#", async (asked, given, reason) => {
    const { requests, recorded } = open()
    const waiting = requests.open(
      { ...question, subject: action, ...asked },
      new AbortController().signal,
    )
    expect(await requests.answer("r1", given)).toBe(reason)
    expect(recorded).toHaveLength(1)
    expect(await requests.answer("r1", deny)).toBeNull()
    expect(await waiting).toEqual(deny)
  })
})

test("a question is answered in text, a wish for an environment by one of its kinds", async () => {
  const { requests, recorded } = open()
  const { signal } = new AbortController()
  const asked = requests.open({ ...question, subject: questionOf() }, signal)
  await requests.answer("r1", { decision: "approve", by: "user", answer: "the other one" })
  expect(await asked).toEqual({ decision: "approve", by: "user", answer: "the other one" })

  const wished = requests.open({ ...question, subject: wishFor("x") }, signal)
  await requests.answer("r2", { decision: "approve", by: "user", answer: "x" })
  expect(await wished).toEqual({ decision: "approve", by: "user", answer: "x" })
  expect(recorded.at(-1)).toEqual({
    type: "request_answered",
    request: "r2",
    decision: "approve",
    by: "user",
    answer: "x",
  })
})

test("what a person writes in the place of the proposal runs when it was judged well", async () => {
  const { requests, recorded } = open()
  const judge = async (input: JsonObject) => (input.path === "b" ? null : "a rule denies it")
  const waiting = requests.open(question, new AbortController().signal, judge)
  const approve = { decision: "approve", by: "user" } as const
  expect(await requests.answer("r1", { ...approve, input: { path: "a" } })).toBe("a rule denies it")
  expect(await requests.answer("r1", { ...approve, input: { path: "b" } })).toBeNull()
  expect(await waiting).toEqual({ ...approve, input: { path: "b" } })
  expect(recorded.at(-1)).toEqual({
    type: "request_answered",
    request: "r1",
    ...approve,
    input: { path: "b" },
  })
})

test("what cannot be saved leaves the request waiting", async () => {
  const offer = { rules: [{ verdict: "allow" as const, command: "npm test" }], uncovered: [] }
  const saved: unknown[] = []
  let isFull = true
  const { requests, recorded } = open(undefined, async approval => {
    if (isFull) throw new Error("no room")
    saved.push(approval)
  })
  const waiting = requests.open({ ...question, offer }, new AbortController().signal)
  const answer = { decision: "approve", by: "user", save: "project" } as const
  await expect(requests.answer("r1", answer)).rejects.toThrow("no room")
  expect(recorded).toHaveLength(1)

  isFull = false
  expect(await requests.answer("r1", answer)).toBeNull()
  const { rules } = offer
  expect(saved).toEqual([{ request: "r1", scope: "project", rules }])
  expect(await waiting).toEqual({
    decision: "approve",
    by: "user",
    saved: { scope: "project", rules },
  })
})

function questionOf(...options: string[]): Question["subject"] {
  return { type: "question", action_id: "a1", question: "Which?", options }
}

function wishFor(...kinds: string[]): Question["subject"] {
  return { type: "environment", action_id: "a1", reason: "to see", kinds }
}
