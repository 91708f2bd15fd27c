import type { UserMessage } from "@harness/protocol"
import { expect, test } from "vitest"
import { mustTokens, saidWithin } from "../../../src/loop/compaction/said.ts"

function said(...texts: string[]): UserMessage {
  return { role: "user", content: texts.map(text => ({ type: "text", text })) }
}

/** About so many tokens. */
const words = (tokens: number) => "x".repeat(Math.floor(tokens * 3.2))

test("all that fits is told word for word, in order", () => {
  expect(saidWithin([said("One."), said("Two.", "Three.")], { limitTokens: 100, must: 0 })).toEqual(
    [
      { status: "whole", part: { type: "text", text: "One." } },
      { status: "whole", part: { type: "text", text: "Two." } },
      { status: "whole", part: { type: "text", text: "Three." } },
    ],
  )
})

test("what was said last goes before; of what is too long the beginning is told, if that is worth it", () => {
  const long = words(2_000)
  const parts = saidWithin([said(words(50)), said(long), said("Last.")], {
    limitTokens: 500,
    must: 0,
  })
  expect(parts.map(({ status }) => status)).toEqual(["whole", "short", "whole"])
  const [, short] = parts
  expect(short).toMatchObject({ text: long })
  expect(saidWithin([said(long)], { limitTokens: 100, must: 0 })).toEqual([{ status: "left_out" }])
})

test("what is worked on is told whole, but not what came with it", () => {
  const task = said(words(3_000), "Do it.")
  const steer = said("And be quick.")
  const parts = saidWithin([said(words(40)), task, steer], { limitTokens: 100, must: 2 })
  expect(parts.map(({ status }) => status)).toEqual(["whole", "left_out", "whole", "whole"])
  expect(mustTokens([task, steer])).toBe(2 + 5)
})
