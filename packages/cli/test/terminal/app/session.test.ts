import type { Ending } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { conversation, talk } from "../support/talk.ts"

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
