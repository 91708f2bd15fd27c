import type { Message } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { messagesOf } from "../../../src/conversation/messages.ts"
import { answers, converse, type ScriptedTurn, says } from "./support/conversation.ts"

const words = "It was the best of times, it was the worst of times; 0x7f3a. "

/** A step says it so often, with so many calls; or it is the turn's last. */
const Step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ times: fc.nat({ max: 40 }), calls: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.constant("answer" as const) },
)
const Summary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.nat({ max: 20 }).map(times => answers(`Done: ${words.repeat(times)}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ScriptedTurn>(
      answers(""),
      answers(words.repeat(900)),
      { fails: "HTTP 500" },
      says(0, "no"),
    ),
  },
)
const Script = fc.record({
  windowTokens: fc.integer({ min: 1_200, max: 6_000 }),
  told: fc.constantFrom("all", "more", "nothing"),
  steps: fc.array(Step, { minLength: 10, maxLength: 40 }),
  summaries: fc.array(Summary, { minLength: 1, maxLength: 6 }),
  turns: fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 }),
})

test("what the model is shown next is what the log gives, whatever was compacted, at every record", async () => {
  await fc.assert(
    fc.asyncProperty(Script, async ({ windowTokens, told, steps, summaries, turns }) => {
      const talk = await converse({
        windowTokens,
        toldTokens: { all: windowTokens, more: windowTokens * 2, nothing: undefined }[told],
        step: n => turnOf(n, steps[n % steps.length] ?? "answer"),
        summary: n => summaries[n % summaries.length] ?? answers("Done."),
        limits: { max_steps: 60 },
      })
      for (const [turn, times] of turns.entries()) {
        await talk.send(`Turn ${turn}: ${words.repeat(times)}`)
      }

      const events = await talk.log()
      expect(talk.messages).toEqual(messagesOf(events))
      for (let end = 1; end <= events.length; end += 1) {
        expect(faultIn(messagesOf(events.slice(0, end)))).toBe(null)
      }
      await talk.release()
    }),
    { numRuns: 40 },
  )
}, 120_000)

function turnOf(n: number, step: { times: number; calls: number } | "answer"): ScriptedTurn {
  if (step === "answer") return answers(`Answer ${n}.`)
  const calls = Array.from({ length: step.calls }, (_, at) => says(n * 10 + at, words, step.times))
  return { parts: calls.flatMap(call => ("parts" in call ? call.parts : [])) }
}

/** Every call has its result, right after the message that made it; nothing else has one. */
function faultIn(messages: readonly Message[]): string | null {
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1]
    const calls = idsOf(before)
    const results = message.role === "tool" ? message.content.map(part => part.call_id) : []
    if (JSON.stringify(results) !== JSON.stringify(calls)) return `message ${at}: ${results}`
  }
  return idsOf(messages.at(-1)).length > 0 ? "the last calls have no results" : null
}

function idsOf(message: Message | undefined): string[] {
  if (message?.role !== "assistant") return []
  return message.content.flatMap(part => (part.type === "call" ? [part.id] : []))
}
