import { describe, expect, test } from "vitest"
import { emptyView } from "../../../src/terminal/view/empty.ts"
import { reduce } from "../../../src/terminal/view/reduce.ts"
import { type Recorded, recorded, step } from "../../support/recorded.ts"
import { atMs, begun, newest, proposed, replied, viewOf } from "../support/view-events.ts"

describe("a turn", () => {
  test("shows the user's own words, without what harness says before them", () => {
    const { fresh, live, status } = viewOf(begun)
    expect(fresh.slice(1)).toEqual([{ type: "user", text: "Fix it.", images: 0 }])
    expect(live.phase).toEqual({ type: "working", sinceMs: atMs })
    expect(status).toEqual({
      conversation: "0123456789ab",
      model: "p/m",
      style: "tools",
      approve: "none",
      sandbox: "off",
      network: false,
      folder: "{root}",
      turn: 1,
      step: 1,
      cost: { usd: 0, unknown: false },
      inputTokens: 0,
      outputTokens: 0,
      context: { tokens: null, window: null },
      services: [],
    })
  })

  test("prints what is said as its blocks are whole, and the rest when the step ends", () => {
    const said = viewOf([...begun, { type: "text_delta", text: "One.\n\nTw" }])
    expect(said.fresh.at(-1)).toEqual({ type: "text", markdown: "One.", begins: true })
    expect(said.live.text).toBe("Tw")

    const whole = viewOf([
      ...begun,
      { type: "text_delta", text: "One.\n\nTw" },
      { type: "text_delta", text: "o." },
      replied([{ type: "text", text: "One.\n\nTwo." }]),
    ])
    expect(whole.fresh.slice(2)).toEqual([
      { type: "text", markdown: "One.", begins: true },
      { type: "text", markdown: "Two.", begins: true },
    ])
    expect(whole.live.text).toBe("")
  })

  test("says what was said before anybody listened, once", () => {
    expect(newest([...begun, replied([{ type: "text", text: "Done." }])])).toEqual({
      type: "text",
      markdown: "Done.",
      begins: true,
    })
  })

  test("counts tokens and cost; of a step without a price it is at least what is known", () => {
    const { status } = viewOf([...begun, replied([]), replied([], null)])
    expect(status.cost).toEqual({ usd: 0.5, unknown: true })
    expect(status).toMatchObject({ inputTokens: 2_000, outputTokens: 100 })
    expect(status.context).toEqual({ tokens: 1_050, window: null })
  })

  test("ends with its ending, and nothing waits or runs any more", () => {
    const view = viewOf([
      ...begun,
      proposed({}),
      { type: "text_delta", text: "Half a" },
      {
        type: "turn_ended",
        turn: 1,
        ending: { status: "interrupted", reason: "by the user" },
        verification: "not_requested",
        head: "0".repeat(64),
      },
    ])
    expect(view.fresh.slice(2)).toEqual([
      { type: "text", markdown: "Half a", begins: true },
      {
        type: "ending",
        ending: { status: "interrupted", reason: "by the user" },
        conversation: "0123456789ab",
        steps: 1,
      },
    ])
    expect(view.live).toEqual(emptyView("").live)
    expect(view.requests).toEqual([])
  })

  test("takes a queued message from the queue when it is delivered", () => {
    const message = { text: "Fix it.", images: [] }
    const queued = reduce(emptyView("c"), { type: "queued", message }, atMs)
    const view = recorded(begun).reduce((before, event) => reduce(before, event, atMs), queued)
    expect(queued.queued).toEqual([message])
    expect(view.queued).toEqual([])
  })
})

describe("a program", () => {
  const started: Recorded = {
    type: "program_started",
    ...step(1),
    program: 1,
    call_id: "c1",
    language: "python",
    source: "print(1)",
  }
  const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}`)

  test("prints whole lines as they come, and after twenty only that there are more", () => {
    const text = `${lines(25).join("\n")}\nopen`
    const view = viewOf([
      ...begun,
      started,
      { type: "program_output", program: 1, stream: "stdout", text: "a\nb" },
      { type: "program_output", program: 1, stream: "stdout", text: `c\n${text}` },
    ])
    expect(view.fresh.slice(3)).toEqual([
      { type: "program_output", lines: ["a"], more: false },
      { type: "program_output", lines: ["bc", ...lines(18)], more: true },
    ])
    expect(view.live.program).toEqual({ program: 1, sinceMs: atMs, tail: "open", printed: 21 })
  })
})

test("a wait for the provider is until when it is over", () => {
  const { live } = viewOf([...begun, { type: "model_waiting", reason: "overloaded", ms: 3_000 }])
  expect(live.phase).toEqual({ type: "model_waiting", reason: "overloaded", untilMs: 8_000 })
})
