import { describe, expect, test } from "vitest"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

describe("one path for every effect", () => {
  test("every registered action leaves the records of its path, and what ran is what they say", async () => {
    const inputs: Record<string, object> = {
      look: { path: "a.txt" },
      note: { path: "b.txt", text: "b" },
      call: { command: "echo ran >> trace.txt" },
    }
    const kernel = startKernel(
      [
        calls(1, ...Object.entries(inputs).map(([name, input]): [string, object] => [name, input])),
        says("Done."),
      ],
      { files: { "a.txt": "a" } },
    )
    await kernel.send(await kernel.open(), "Do it all", "echo verified >> trace.txt")

    for (const name of [...Object.keys(inputs), "call"]) {
      const proposed = ofType(kernel.events, "action_proposed").filter(
        ({ action }) => action === name,
      )
      for (const { action_id, seq } of proposed) {
        const started = ofType(kernel.events, "action_started").filter(
          one => one.action_id === action_id,
        )
        const ended = ofType(kernel.events, "action_ended").filter(
          one => one.action_id === action_id,
        )
        expect([name, started.length, ended.length]).toEqual([name, 1, 1])
        expect(seq).toBeLessThan(started[0]?.seq ?? 0)
        expect(started[0]?.seq).toBeLessThan(ended[0]?.seq ?? 0)
      }
    }
    expect(
      ofType(kernel.events, "action_proposed").map(({ action, origin }) => [action, origin.type]),
    ).toEqual([
      ["look", "call"],
      ["note", "call"],
      ["call", "call"],
      ["call", "verify"],
    ])
    expect([kernel.read("b.txt"), kernel.read("trace.txt")]).toEqual(["b", "ran\nverified\n"])
  })
})
