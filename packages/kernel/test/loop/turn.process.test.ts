import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe("a turn", () => {
  test("reads, changes, runs and answers, and every step is on record in its order", async () => {
    const kernel = startKernel(
      [
        calls(1, ["look", { path: "a.txt" }]),
        calls(2, ["note", { path: "a.txt", text: "after" }], ["call", { command: "cat a.txt" }]),
        says("Done: a.txt says after."),
      ],
      { files: { "a.txt": "before" } },
    )
    const conversation = await kernel.open()
    const answer = await kernel.send(conversation, "Change a.txt", "grep -q after a.txt")

    expect(answer).toEqual({
      type: "send",
      ending: { status: "answered" },
      verification: "passed",
      answer: "Done: a.txt says after.",
      spent: { steps: 3, input_tokens: 300, cached_input_tokens: 0, output_tokens: 30, cost: null },
    })
    expect(kernel.read("a.txt")).toBe("after")
    expect(kernel.events.filter(event => "seq" in event).map(({ type }) => type)).toEqual([
      "conversation_started",
      "environment_opened",
      "turn_started",
      "user_message",
      "step_started",
      "step_ended",
      "action_proposed",
      "action_started",
      "action_ended",
      "results",
      "step_started",
      "step_ended",
      "action_proposed",
      "action_started",
      "action_ended",
      "action_proposed",
      "action_started",
      "action_ended",
      "results",
      "step_started",
      "step_ended",
      "action_proposed",
      "action_started",
      "action_ended",
      "verification_ended",
      "turn_ended",
    ])
    const [before, after] = [sha256("before"), sha256("after")]
    expect(ofType(kernel.events, "action_ended")[1]).toMatchObject({
      action_id: "a2",
      action: "note",
      result: { sha256: after },
      receipt: {
        status: "ok",
        evidence: [
          { role: "before", sha256: before, bytes: 6, path: "a.txt" },
          { role: "after", sha256: after, bytes: 5, path: "a.txt" },
        ],
      },
    })
  })

  test("shows the model AGENTS.md with the first message, and only there", async () => {
    const kernel = startKernel([says("One."), says("Two.")], {
      files: { "AGENTS.md": "Be brief." },
    })
    const conversation = await kernel.open()
    await kernel.send(conversation, "First")
    await kernel.send(conversation, "Second")
    expect(kernel.requests().at(-1)?.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "AGENTS.md of the project says:\n\nBe brief." },
          { type: "text", text: "First" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "One." }] },
      { role: "user", content: [{ type: "text", text: "Second" }] },
    ])
  })

  test("answers unknown tools, malformed and unfit arguments as data, and goes on", async () => {
    const kernel = startKernel([
      calls(1, ["fly", {}], ["look", '{"path": "a'], ["look", { file: "a" }], ["look", "[1]"]),
      says("I could not."),
    ])
    const answer = await kernel.send(await kernel.open(), "Try")
    expect(answer.ending).toEqual({ status: "answered" })
    const results = ofType(kernel.events, "results")[0]?.message.content ?? []
    expect(results.map(({ status }) => status)).toEqual([
      "unknown_tool",
      "malformed_arguments",
      "invalid_arguments",
      "malformed_arguments",
    ])
    expect(results.map(({ text }) => JSON.parse(text))).toEqual([
      {
        error: "unknown_tool",
        message:
          "There is no tool fly. The tools are: look, note, call, serve, end, riddle, vanish, show, ask_person.",
      },
      { error: "malformed_arguments", message: expect.stringContaining("nothing was run") },
      { error: "invalid_arguments", message: expect.stringContaining("path") },
      {
        error: "malformed_arguments",
        message: "The arguments are not a JSON object, so nothing was run. Send the call again.",
      },
    ])
    expect(ofType(kernel.events, "action_proposed")).toEqual([])
  })

  test("fails with the provider's reason when a stream breaks, and nothing of the reply runs", async () => {
    const broken = {
      ...calls(1, ["note", { path: "a.txt", text: "x" }]),
      fails: "the line was cut",
    }
    const kernel = startKernel([broken, says("Again.")])
    const conversation = await kernel.open()
    const answer = await kernel.send(conversation, "Write")
    expect(answer.ending).toEqual({
      status: "failed",
      failure: {
        code: "provider_failed",
        message: "scripted did not answer for m: the line was cut.",
        next: "Try again.",
        exit: 1,
        details: {
          provider: "scripted",
          model: "m",
          reason: "the line was cut",
          hint: "Try again.",
        },
      },
    })
    expect(existsSync(`${kernel.root}/a.txt`)).toBe(false)
    expect((await kernel.send(conversation, "Once more")).answer).toBe("Again.")
  })

  test("fails when a stream ends without a finish", async () => {
    const kernel = startKernel([
      { ...calls(1, ["call", { command: "touch a.txt" }]), endsEarly: true },
    ])
    const answer = await kernel.send(await kernel.open(), "Write")
    expect(answer.ending).toMatchObject({
      status: "failed",
      failure: { code: "provider_failed" },
    })
    expect(existsSync(`${kernel.root}/a.txt`)).toBe(false)
  })

  test("has failed verification when the command does not exit with 0", async () => {
    const kernel = startKernel([says("All tests pass.")])
    const answer = await kernel.send(await kernel.open(), "Check", "exit 3")
    expect({ ending: answer.ending, verification: answer.verification }).toEqual({
      ending: { status: "answered" },
      verification: "failed",
    })
    expect(ofType(kernel.events, "action_ended").at(-1)).toMatchObject({
      receipt: { process: { status: "exited", exit_code: 3 } },
    })
  })
})
