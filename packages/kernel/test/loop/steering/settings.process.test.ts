import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { ofType, requestsIn, startKernel, type TestKernel } from "../../support/kernel.ts"
import { calls, Script, says } from "../../support/script.ts"

describe("settings that the user changes", () => {
  test("count from the next turn on, are announced, and are those of a resume", async () => {
    const kernel = startKernel([says("One.")])
    const other = otherModel(kernel, [says("Two.")])
    const conversation = await kernel.open()
    await kernel.send(conversation, "First")
    const chosen = { model: other.id, style: "programs", approve: "gate" } as const
    const answer = await kernel.kernel.dispatch({ type: "configure", conversation, ...chosen })

    expect(answer).toEqual({
      type: "configure",
      state: { ...chosen, context_tokens: null, spent: expect.objectContaining({ steps: 1 }) },
    })
    expect(ofType(kernel.events, "settings_changed")).toMatchObject([
      { ...chosen, context_tokens: null },
    ])
    expect(await kernel.send(conversation, "Second")).toMatchObject({ answer: "Two." })
    const [request] = other.requests()
    expect(request?.tools.map(({ name }) => name)).toEqual(["run_program"])
    expect(request?.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: expect.stringContaining("New tools: run_program.") },
        { type: "text", text: "Second" },
      ],
    })

    await kernel.resume(conversation, [says("Three.")])
    expect(ofType(kernel.events, "conversation_resumed")).toMatchObject([chosen])
  })

  test("chosen while a step runs, are announced before the next one", async () => {
    const kernel = startKernel([
      calls(1, ["call", { command: "touch begun; while [ ! -e go ]; do sleep 0.05; done" }]),
      says("Done."),
    ])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "Begin")
    await until(() => existsSync(join(kernel.root, "begun")))
    await kernel.kernel.dispatch({ type: "configure", conversation, style: "programs" })
    writeFileSync(join(kernel.root, "go"), "")

    expect(await turn).toMatchObject({ answer: "Done." })
    expect(kernel.requests().at(-1)?.messages.slice(1)).toEqual([
      expect.objectContaining({ role: "assistant" }),
      expect.objectContaining({ role: "tool" }),
      {
        role: "user",
        content: [{ type: "text", text: expect.stringContaining("New tools: run_program.") }],
      },
    ])
  })

  test("that cannot be found change nothing", async () => {
    const kernel = startKernel([says("One.")], {
      config: { limits: { max_cost: 1 } },
      price: { input: 1, output: 1 },
    })
    const conversation = await kernel.open()
    const { id: unpriced } = otherModel(kernel, [says("Two.")])
    const configure = (model: string) =>
      kernel.kernel.dispatch({ type: "configure", conversation, model, approve: "plan" })

    expect(await configure("nobody/model")).toMatchObject({
      type: "failed",
      failure: { code: "model_unknown" },
    })
    expect(await configure(unpriced)).toMatchObject({
      type: "failed",
      failure: { code: "price_unknown" },
    })
    expect(await kernel.send(conversation, "First")).toMatchObject({ answer: "One." })
    expect(ofType(kernel.events, "settings_changed")).toEqual([])
  })

  test("approve from the next step on by the mode that was chosen", async () => {
    const kernel = startKernel([calls(1, ["note", { path: "a.txt", text: "x" }]), says("Done.")])
    const conversation = await kernel.open({ approve: "none" })
    await kernel.kernel.dispatch({ type: "configure", conversation, approve: "plan" })
    await kernel.send(conversation, "Begin")

    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "deny", rule: "mode:plan" },
    ])
  })
})

describe("a summary that the user asks for", () => {
  test("is not made where there is nothing to be left out, nor while a turn runs", async () => {
    const kernel = startKernel([says("Short."), { hangs: true }])
    const conversation = await kernel.open()
    const compact = () => kernel.kernel.dispatch({ type: "compact", conversation })
    const nothing = { type: "compact", status: "nothing_to_do", reason: null }

    expect(await compact()).toEqual(nothing)
    await kernel.send(conversation, "First")
    expect(await compact()).toEqual(nothing)
    const turn = kernel.send(conversation, "Second")
    await until(() => kernel.events.at(-1)?.type === "step_started")
    expect(await compact()).toMatchObject({ failure: { code: "command_invalid" } })
    await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "Esc" })
    await turn
  })
})

describe("a command of the user's own", () => {
  test("runs without asking, with a receipt, and the model is told with the next message", async () => {
    const kernel = startKernel([says("One."), says("Two.")])
    const conversation = await kernel.open({ approve: "gate", approver: true })
    await kernel.send(conversation, "First")
    const answer = await run(kernel, conversation, "echo out; exit 3")
    await kernel.send(conversation, "Second")

    expect(answer).toMatchObject({
      type: "command",
      result: { status: "exited", exit_code: 3, output: "out\n" },
      receipt: { status: "ok", process: { exit_code: 3 } },
    })
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { origin: { type: "user" }, verdict: "allow", rule: "user" },
    ])
    const told = "[The user ran this command themselves: exit 3]\n$ echo out; exit 3\nout"
    expect(kernel.requests().at(-1)?.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: told },
        { type: "text", text: "Second" },
      ],
    })
  })

  test("is told after a resume, when no message came between", async () => {
    const kernel = startKernel([says("One.")])
    const conversation = await kernel.open()
    await kernel.send(conversation, "First")
    await run(kernel, conversation, "echo out")
    await kernel.resume(conversation, [says("Two.")])
    await kernel.send(conversation, "Second")

    expect(JSON.stringify(kernel.requests().at(-1)?.messages.at(-1))).toContain("$ echo out")
  })

  test("does not run where a rule denies it", async () => {
    const rules = [{ verdict: "deny", command: "rm" }]
    const kernel = startKernel([says("One.")], { config: { rules } })
    const answer = await run(kernel, await kernel.open(), "rm -rf x")

    expect(answer).toMatchObject({ result: { status: "denied", by: "rule:1" } })
  })
})

function run({ kernel }: TestKernel, conversation: string, command: string) {
  return kernel.dispatch({ type: "command", conversation, command })
}

/** Another model of the scripted provider. */
function otherModel({ home }: TestKernel, replies: Script["replies"]) {
  const file = join(home, "other.json")
  writeFileSync(file, JSON.stringify(Script.parse({ replies })))
  return { id: `scripted/${file}`, requests: () => requestsIn(file) }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}
