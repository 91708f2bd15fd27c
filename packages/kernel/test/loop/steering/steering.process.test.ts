import { existsSync } from "node:fs"
import { join } from "node:path"
import type { DurableEvent } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { messagesOf } from "../../../src/conversation/messages.ts"
import { ofType, startKernel, type TestKernel } from "../../support/kernel.ts"
import { calls, says } from "../../support/script.ts"

describe("a message that is queued while a turn runs", () => {
  test("stands before the next step, after the results of the one that runs", async () => {
    const kernel = startKernel([
      calls(1, ["call", { command: "touch begun; sleep 0.3" }]),
      says("Done."),
    ])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Begin")
    await until(() => existsSync(join(kernel.root, "begun")))
    const answers = await Promise.all(
      ["One more thing", "and another"].map(text =>
        kernel.kernel.dispatch({ type: "queue", conversation, text }),
      ),
    )

    expect(answers).toEqual([{ type: "queue" }, { type: "queue" }])
    expect(await turn).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
    expect(kernel.requests().at(-1)?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Begin" }] },
      expect.objectContaining({ role: "assistant" }),
      expect.objectContaining({ role: "tool" }),
      { role: "user", content: [{ type: "text", text: "One more thing" }] },
      { role: "user", content: [{ type: "text", text: "and another" }] },
    ])
    expect(saidIn(kernel)).toEqual(["Begin", "One more thing", "and another"])
  })

  test("takes the turn on when its answer has just come", async () => {
    const kernel = startKernel([says("First."), says("Second.")])
    const conversation = await kernel.open()
    const unsubscribe = kernel.kernel.subscribe(({ event }) => {
      if (event.type !== "step_ended") return
      unsubscribe()
      void kernel.kernel.dispatch({ type: "queue", conversation, text: "Go on" })
    })
    const answer = await kernel.send(conversation, "Begin")

    expect(answer).toMatchObject({ ending: { status: "answered" }, answer: "Second." })
    expect(kernel.requests().at(-1)?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Begin" }] },
      { role: "assistant", content: [{ type: "text", text: "First." }] },
      { role: "user", content: [{ type: "text", text: "Go on" }] },
    ])
    expect(ofType(kernel.events, "turn_started")).toHaveLength(1)
  })

  test("is given back, or stands before the next message, when the turn was interrupted", async () => {
    const kernel = startKernel([{ hangs: true }])
    const conversation = await kernel.open()
    const queue = (text: string) => kernel.kernel.dispatch({ type: "queue", conversation, text })
    const interruptedTurn = async (text: string, ...queued: string[]) => {
      const turn = kernel.send(conversation, text)
      await until(() => kernel.events.at(-1)?.type === "step_started")
      for (const each of queued) await queue(each)
      await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "Esc" })
      return turn
    }
    await interruptedTurn("Begin", "one", "two")

    expect(await kernel.kernel.dispatch({ type: "unqueue", conversation })).toEqual({
      type: "unqueue",
      texts: ["one", "two"],
    })
    expect(await queue("late")).toMatchObject({
      type: "failed",
      failure: { code: "command_invalid" },
    })
    await interruptedTurn("Again", "three")
    await interruptedTurn("And again")
    expect(saidIn(kernel)).toEqual(["Begin", "Again", "three", "And again"])
  })
})

describe("a step that is interrupted", () => {
  test("drops what the model was saying, says so on record, and goes on with what is queued", async () => {
    const kernel = startKernel([{ hangs: true }, says("Done.")])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Begin")
    await until(() => kernel.events.at(-1)?.type === "step_started")
    await kernel.kernel.dispatch({ type: "queue", conversation, text: "Do this" })
    await interruptStep(kernel, conversation)

    expect(await turn).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
    expect(ofType(kernel.events, "step_failed")).toMatchObject([
      { step: 1, failure: { code: "step_interrupted" }, unanswered: 1 },
    ])
    expect(saidIn(kernel)).toEqual(["Begin", "Do this"])
  })

  test("cancels what runs, leaves the other calls undone, and tells the model of each", async () => {
    const kernel = startKernel([
      calls(
        1,
        ["call", { command: "touch begun; sleep 60" }],
        ["note", { path: "a.txt", text: "never" }],
      ),
      says("Done."),
    ])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Begin")
    await until(() => existsSync(join(kernel.root, "begun")))
    await interruptStep(kernel, conversation)

    expect(await turn).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
    expect(existsSync(join(kernel.root, "a.txt"))).toBe(false)
    expect(ofType(kernel.events, "action_ended")).toMatchObject([
      { action: "call", receipt: { status: "cancelled", process: { status: "cancelled" } } },
    ])
    const results = ofType(kernel.events, "results")[0]?.message.content ?? []
    expect(
      results.map(({ call_id, status, text }) => [call_id, status, text.split("\n").at(-1)]),
    ).toEqual([
      ["c1-1", "cancelled", "[interrupted by the user]"],
      ["c1-2", "cancelled", "[interrupted by the user]"],
    ])
    expect(saidIn(kernel)).toEqual(["Begin", expect.stringContaining("The user interrupted you.")])
  })

  test("ends a program that runs, and denies what waits at the gate", async () => {
    const kernel = startKernel([
      calls(1, [
        "run_program",
        { language: "lines", source: 'call call {"command":"true"}\nprint on' },
      ]),
      says("Done."),
    ])
    const conversation = await kernel.open({ style: "programs", approve: "gate", approver: true })
    const turn = kernel.send(conversation, "Begin")
    await until(() => kernel.events.at(-1)?.type === "request_opened")
    await interruptStep(kernel, conversation)

    expect(await turn).toMatchObject({ ending: { status: "answered" }, answer: "Done." })
    expect(ofType(kernel.events, "request_answered")).toMatchObject([
      { decision: "deny", by: "interrupt" },
    ])
    expect(ofType(kernel.events, "program_ended")).toMatchObject([{ status: "interrupted" }])
  })
})

function interruptStep(kernel: TestKernel, conversation: string) {
  const interrupt = { type: "interrupt", conversation, reason: "Esc", scope: "step" } as const
  return kernel.kernel.dispatch(interrupt)
}

/** The user's messages on record; those of the log are those of the requests. */
function saidIn({ events }: TestKernel): string[] {
  const durable = events.filter((event): event is DurableEvent => "seq" in event)
  return messagesOf(durable).flatMap(({ role, content }) =>
    role === "user" ? content.flatMap(part => (part.type === "text" ? [part.text] : [])) : [],
  )
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}
