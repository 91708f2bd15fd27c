import { describe, expect, test } from "vitest"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

describe("a turn", () => {
  test("that never comes to an answer is stopped at its limit of steps and says how to go on", async () => {
    const kernel = startKernel([calls(1, ["look", { path: "a.txt" }])], {
      files: { "a.txt": "a" },
    })
    const answer = await kernel.send(await kernel.open({ max_steps: 4 }), "Go")
    expect(answer.ending).toEqual({
      status: "limit_reached",
      limit: "steps",
      message: expect.stringMatching(
        /^The limit of 4 steps a turn is reached\. Spent: 4 steps, \d+ tokens, an unknown cost\. To go on: harness run --resume id[0-9]+ "go on" --max-steps 4$/,
      ),
    })
    expect(kernel.requests()).toHaveLength(4)
  })

  test("is no answer when the model's output was cut off", async () => {
    const kernel = startKernel([{ ...says("The bug is in"), finish: "length" }])
    const answer = await kernel.send(await kernel.open(), "Explain", "true")
    expect({ ending: answer.ending, verification: answer.verification }).toEqual({
      ending: {
        status: "limit_reached",
        limit: "tokens",
        message: expect.stringMatching(
          /^The model's answer was cut off at its output limit\. Spent: 1 step, .* "go on"$/,
        ),
      },
      verification: "not_requested",
    })
  })

  test("is interrupted while the model thinks", async () => {
    const kernel = startKernel([{ hangs: true }])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Think")
    await expect.poll(() => ofType(kernel.events, "step_started").length).toBe(1)
    await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "SIGINT" })
    expect((await turn).ending).toEqual({ status: "interrupted", reason: "SIGINT" })
  })

  test("is interrupted while a command runs, and the receipt says cancelled", async () => {
    const kernel = startKernel([
      calls(1, ["call", { command: "echo on; sleep 60" }], ["look", { path: "a" }]),
    ])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Wait")
    await expect.poll(() => kernel.events.some(({ type }) => type === "action_output")).toBe(true)
    await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "SIGINT" })
    expect((await turn).ending).toEqual({ status: "interrupted", reason: "SIGINT" })
    expect(ofType(kernel.events, "action_ended")).toMatchObject([
      { action: "call", receipt: { status: "cancelled", process: { status: "cancelled" } } },
    ])
    const results = ofType(kernel.events, "results")[0]?.message.content ?? []
    expect(results.map(({ call_id, status }) => [call_id, status])).toEqual([
      ["c1-1", "cancelled"],
      ["c1-2", "cancelled"],
    ])
  })

  test("ends at its time: what runs is ended, nothing is carried out after, and the next turn has its own", async () => {
    const kernel = startKernel(
      [
        calls(1, ["call", { command: "sleep 60" }], ["note", { path: "a.txt", text: "late" }]),
        says("In time."),
      ],
      { config: { limits: { max_wall_seconds: 1 } } },
    )
    const conversation = await kernel.open()
    expect((await kernel.send(conversation, "Wait")).ending).toEqual({
      status: "limit_reached",
      limit: "wall",
      message: expect.stringMatching(
        /^The limit of 1 s a turn is reached: \d+ s have passed\. Spent: 1 step, .* harness run --resume id\d+ "go on"$/,
      ),
    })
    const ended = ofType(kernel.events, "action_ended")
    expect(ended.map(({ action, receipt }) => [action, receipt.status])).toEqual([
      ["call", "cancelled"],
    ])
    expect((await kernel.send(conversation, "Again")).ending).toEqual({ status: "answered" })
  })

  test("goes on with another worker when one was lost, and says that nobody saw the end", async () => {
    const kernel = startKernel(
      [calls(1, ["vanish", {}]), calls(2, ["look", { path: "a.txt" }]), says("It vanished.")],
      { files: { "a.txt": "still here" } },
    )
    const answer = await kernel.send(await kernel.open(), "Vanish")
    expect(answer.ending).toEqual({ status: "answered" })
    const ended = ofType(kernel.events, "action_ended")
    expect(ended.map(({ action, receipt }) => [action, receipt.status])).toEqual([
      ["vanish", "unknown"],
      ["look", "ok"],
    ])
    expect(ofType(kernel.events, "notice").map(({ code }) => code)).toEqual(["worker_replaced"])
  })

  test("makes no request when a cost limit is set and the price is unknown", async () => {
    const kernel = startKernel([says("Free?")])
    await expect(kernel.open({ max_cost: 1 })).rejects.toThrow(/^price_unknown: /)
  })

  test("ends before the request that could cost more than the limit", async () => {
    const kernel = startKernel([calls(1, ["look", { path: "a.txt" }])], {
      files: { "a.txt": "a" },
      price: { input: 10, output: 10 },
    })
    const answer = await kernel.send(await kernel.open({ max_cost: 0.05 }), "Go")
    expect(answer.ending).toMatchObject({ status: "limit_reached", limit: "cost" })
    expect(answer.spent.cost).toBeLessThanOrEqual(0.05)
    expect(answer.spent.cost).toBeGreaterThan(0)
  })
})
