import { setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const personMs = 300
const commandMs = 400

test("a turn's overhead is without what a person and a command took, in every step", async () => {
  const kernel = startKernel([
    calls(1, ["call", { command: `sleep ${commandMs / 1_000}` }]),
    calls(2, ["look", { path: "a.txt" }], ["look", { path: "b.txt" }]),
    says("Done."),
  ])
  const conversation = await kernel.open({ approve: "gate", approver: true })
  kernel.kernel.subscribe(async ({ event }) => {
    if (event.type !== "request_opened") return
    await setTimeout(personMs)
    const { request } = event
    await kernel.kernel.dispatch({ type: "answer", conversation, request, decision: "approve" })
  })

  const began = performance.now()
  const { ending } = await kernel.send(conversation, "Go.")
  const wallMs = performance.now() - began

  expect(ending).toEqual({ status: "answered" })
  const steps = ofType(kernel.events, "step_ended")
  const parts = [...steps, ...ofType(kernel.events, "turn_ended")].map(
    ({ overhead_ms: overheadMs }) => overheadMs ?? Number.NaN,
  )
  expect(parts).toHaveLength(4)
  expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)

  const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)
  const modelMs = sum(steps.map(({ duration_ms }) => duration_ms))
  // Each figure is rounded, and a timer may fire a millisecond early.
  expect(sum(parts)).toBeLessThan(wallMs - modelMs - personMs - commandMs + 5)
})
