import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const question = { question: "Which port?", options: ["3000", "8080"] }

/** Answers the first request as it is opened. */
function answering(
  { kernel }: TestKernel,
  given: { decision: "approve" | "deny"; answer?: string; note?: string },
): void {
  const unsubscribe = kernel.subscribe(({ conversation, event }) => {
    if (event.type !== "request_opened") return
    unsubscribe()
    void kernel.dispatch({ type: "answer", conversation, request: event.request, ...given })
  })
}

const firstResult = ({ events }: TestKernel) =>
  ofType(events, "results")[0]?.message.content.map(({ status, text }) => ({ status, text }))

describe("a question of the model", () => {
  test("goes to the person, and the answer back to it", async () => {
    const kernel = startKernel([calls(1, ["ask_person", question]), says("8080 then.")])
    const conversation = await kernel.open({ approve: "gate", approver: true })
    answering(kernel, { decision: "approve", answer: "8080" })
    await kernel.send(conversation, "Serve it")

    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      { subject: { type: "question", action_id: "a1", ...question } },
    ])
    expect(firstResult(kernel)).toEqual([{ status: "ok", text: "8080" }])
    expect(ofType(kernel.events, "action_ended")).toMatchObject([
      { action: "ask_person", summary: "answered: 8080", result: { answer: "8080" } },
    ])
  })

  test("that the person does not answer is denied, with their word", async () => {
    const kernel = startKernel([calls(1, ["ask_person", question]), says("Well.")])
    const conversation = await kernel.open({ approver: true })
    answering(kernel, { decision: "deny", note: "you choose" })
    await kernel.send(conversation, "Serve it")

    expect(firstResult(kernel)).toEqual([
      {
        status: "denied",
        text: JSON.stringify({
          tool: "ask_person",
          status: "denied",
          by: "user",
          reason: "you choose",
        }),
      },
    ])
  })

  test("is answered at once with no_approver where nobody is there", async () => {
    const kernel = startKernel([calls(1, ["ask_person", question]), says("Well.")])
    await kernel.send(await kernel.open(), "Serve it")

    expect(firstResult(kernel)).toMatchObject([{ status: "no_approver" }])
    expect(ofType(kernel.events, "request_opened")).toEqual([])
  })

  test("out of a program stops the program's clocks while the person is waited for", async () => {
    const source = `call ask_person ${JSON.stringify(question)}`
    const kernel = startKernel([
      calls(1, ["run_program", { language: "lines", source }]),
      says("Well."),
    ])
    const conversation = await kernel.open({ style: "programs", approver: true })
    answering(kernel, { decision: "approve", answer: "neither" })
    await kernel.send(conversation, "Serve it")

    expect(firstResult(kernel)).toMatchObject([
      { status: "ok", text: expect.stringContaining('[pause]\n[resume]\n{"answer":"neither"}') },
    ])
  })
})
