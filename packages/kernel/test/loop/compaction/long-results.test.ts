import { describe, expect, test } from "vitest"
import { expectedOf } from "../../../src/audit/expected.ts"
import { ofType } from "../../support/kernel.ts"
import { answers, converse, says } from "./support/conversation.ts"

const line = "the quick brown fox jumps over the lazy dog. "
const task = "Say it."

describe("a result that is too long for the window", () => {
  test("is told in part and kept whole, and what is read by its name is all of it", async () => {
    const talk = await converse({
      windowTokens: 8_000,
      toldTokens: 8_000,
      step: n => (n === 0 ? says(1, line, 200) : answers("Done.")),
    })
    await talk.send(task)

    const [results] = ofType(talk.events, "results")
    const part = results?.message.content[0]
    expect(Buffer.byteLength(part?.text ?? "")).toBeLessThan(3_400)
    expect(part?.text).toContain(`bytes are left out here; read output:${part?.evidence?.sha256}]`)
    expect(await talk.evidence.get(part?.evidence?.sha256 ?? "")).toEqual({
      status: "found",
      bytes: Buffer.from(line.repeat(200)),
    })
    expect((await talk.evidence.relations()).map(({ role }) => role)).toEqual(["result"])
    const payloads = [...expectedOf(await talk.log()).files.values()].map(file => file.sha256)
    expect(payloads).toContain(part?.evidence?.sha256)
  })

  test("takes less where a step has many of them", async () => {
    const call = (at: number) => says(at, line, 200)
    const parts = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(at => {
      const turn = call(at)
      return "parts" in turn ? turn.parts : []
    })
    const talk = await converse({
      windowTokens: 8_000,
      toldTokens: 8_000,
      step: n => (n === 0 ? { parts } : answers("Done.")),
    })
    expect(await talk.send(task)).toMatchObject({ ending: { status: "answered" } })
    expect(ofType(talk.events, "compaction_started")).toEqual([])
  })
})

test("with no room for evidence a long result says so, and the turn goes on", async () => {
  const talk = await converse({
    windowTokens: 8_000,
    toldTokens: 8_000,
    evidenceBytes: 1_000,
    step: n => (n === 0 ? says(1, line, 200) : answers("Done.")),
  })
  expect(await talk.send(task)).toMatchObject({ ending: { status: "answered" } })
  const [results] = ofType(talk.events, "results")
  expect(results?.message.content[0]?.text).toContain("there is no room to keep them")
})
