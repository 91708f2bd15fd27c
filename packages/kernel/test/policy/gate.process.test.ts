import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

describe("the gate", () => {
  async function decide(kernel: TestKernel, decision: "approve" | "deny", note?: string) {
    const turn = kernel.send(await kernel.open({ approve: "gate", approver: true }), "Write")
    await expect.poll(() => ofType(kernel.events, "request_opened").length).toBe(1)
    const opened = ofType(kernel.events, "request_opened")[0]
    const started = ofType(kernel.events, "conversation_started")[0]
    await kernel.kernel.dispatch({
      type: "answer",
      conversation: started?.conversation ?? "",
      request: opened?.request ?? "",
      decision,
      ...(note !== undefined && { note }),
    })
    return { opened, answer: await turn }
  }
  const writes = [calls(1, ["note", { path: "a.txt", text: "new" }]), says("Done.")]

  test("shows what would be written, and writes when a person approves", async () => {
    const kernel = startKernel(writes)
    const { opened } = await decide(kernel, "approve")
    expect(opened).toMatchObject({
      title: "note",
      subject: { type: "action", action_id: "a1" },
      preview: { format: "diff", text: "a.txt\n+new" },
    })
    expect(kernel.read("a.txt")).toBe("new")
  })

  test("gives a denial back as data with the person's word, and changes nothing", async () => {
    const kernel = startKernel(writes)
    const { answer } = await decide(kernel, "deny", "not now")
    expect(answer.ending).toEqual({ status: "answered" })
    expect(existsSync(`${kernel.root}/a.txt`)).toBe(false)
    const result = ofType(kernel.events, "results")[0]?.message.content[0]
    expect(JSON.parse(result?.text ?? "")).toEqual({
      tool: "note",
      status: "denied",
      by: "user",
      reason: "not now",
    })
  })

  test("denies what asks when nobody is there", async () => {
    const kernel = startKernel(writes)
    await kernel.send(await kernel.open({ approve: "gate" }), "Write")
    const result = ofType(kernel.events, "results")[0]?.message.content[0]
    expect(JSON.parse(result?.text ?? "")).toEqual({
      tool: "note",
      status: "denied",
      by: "no_approver",
      reason: "nobody is there to approve it",
    })
    expect(existsSync(`${kernel.root}/a.txt`)).toBe(false)
  })
})
