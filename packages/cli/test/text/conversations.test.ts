import type { ConversationSummary } from "@harness/protocol"
import { expect, test } from "vitest"
import { ageOf, conversationLines } from "../../src/text/conversations.ts"
import { widthOf } from "../../src/text/width.ts"

const nowMs = Date.parse("2026-11-30T12:00:00.000Z")

const fixed: ConversationSummary = {
  id: "4b825dc642cb",
  short_id: "4b825d",
  title: "Fix the failing\ntest of 一覧",
  folder: "/home/jo/shop",
  remote: "github.com/jo/shop",
  model: "vendor/model",
  started_at: "2026-11-30T10:00:00.000Z",
  active_at: "2026-11-30T11:55:00.000Z",
  turns: 2,
  steps: 31,
  cost: 0.0312,
  ending: { status: "limit_reached", limit: "cost", message: "Enough." },
  open: false,
}
const open: ConversationSummary = {
  ...fixed,
  id: "77bcdef00000",
  short_id: "77bcde",
  title: "\u001b[31mHidden\u202e",
  remote: null,
  folder: null,
  active_at: "2026-10-01T12:00:00.000Z",
  cost: null,
  ending: null,
  open: true,
}

const lines = (columns: number, projects = false) =>
  conversationLines([fixed, open, { ...open, open: false }], { columns, nowMs, projects })

test("a wide list has all columns, and those of every project their project", () => {
  expect(lines(120)).toEqual([
    "id       age  turns  steps     cost  ending               title",
    "4b825d   5 m      2     31  $0.0312  limit reached: cost  Fix the failing ⏎ test of 一覧",
    "77bcde  60 d      2     31  unknown  open                 ^[[31mHidden<U+202E>",
    "77bcde  60 d      2     31  unknown  cut off              ^[[31mHidden<U+202E>",
  ])
  expect(lines(120, true)[1]).toContain("limit reached: cost  github.com/jo/shop  Fix")
})

test("a narrow list leaves out columns, and no line is wider than the terminal", () => {
  for (let columns = 24; columns <= 120; columns += 1) {
    for (const line of lines(columns, true)) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  }
  expect(lines(40)).toEqual([
    "id       age  title",
    "4b825d   5 m  Fix the failing ⏎ test of…",
    "77bcde  60 d  ^[[31mHidden<U+202E>",
    "77bcde  60 d  ^[[31mHidden<U+202E>",
  ])
})

test("an age is told in its largest unit", () => {
  const ages = [0, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000, 100_000_000_000, -5]
  expect(ages.map(ageOf)).toEqual(["0 s", "59 s", "1 m", "59 m", "1 h", "1 d", "1,157 d", "0 s"])
})
