import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ApprovalScope, JsonObject, KernelCommand } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

type Given = Omit<Extract<KernelCommand, { type: "answer" }>, "type" | "conversation" | "request">

const gated = { approve: "gate", approver: true } as const

/** Sends a message and answers the request that it leads to; the answer to each answer. */
async function answering(
  { kernel, events, send }: TestKernel,
  conversation: string,
  ...given: Given[]
) {
  const before = ofType(events, "request_opened").length
  const turn = send(conversation, "Go")
  await expect.poll(() => ofType(events, "request_opened").length).toBe(before + 1)
  const opened = ofType(events, "request_opened").at(-1)
  const answers = []
  for (const each of given) {
    const request = opened?.request ?? ""
    answers.push(await kernel.dispatch({ type: "answer", conversation, request, ...each }))
  }
  await turn
  return { opened, answers }
}

const verdicts = ({ events }: TestKernel) =>
  ofType(events, "action_proposed").map(({ verdict, rule }) => `${verdict} ${rule}`)

const results = ({ events }: TestKernel) =>
  ofType(events, "results").map(({ message }) => message.content[0]?.text ?? "")

describe("what a person allows at the gate", () => {
  const echo = (words: string) => calls(1, ["call", { command: `echo ${words}` }])
  const save = (scope: ApprovalScope): Given => ({ decision: "approve", save: scope })

  test("for the conversation counts in it, also when it goes on, and in no other", async () => {
    const kernel = startKernel([echo("a"), echo("b && echo c"), says("Done.")])
    const conversation = await kernel.open(gated)
    const { opened } = await answering(kernel, conversation, save("conversation"))
    expect(opened?.offer).toEqual({
      rules: [{ verdict: "allow", command: "echo" }],
      uncovered: [],
    })
    const rule = `allow approval:${opened?.request}`
    expect(verdicts(kernel)).toEqual(["ask mode:gate", rule])

    await kernel.resume(conversation, [echo("d"), says("Done.")], gated)
    await kernel.send(conversation, "Go on")
    expect(verdicts(kernel).at(-1)).toBe(rule)
  })

  test("for the project counts in its conversations until it is revoked, at once", async () => {
    const kernel = startKernel([echo("a"), says("1"), echo("b"), says("2"), echo("c"), says("3")])
    const { opened } = await answering(kernel, await kernel.open(gated), save("project"))
    const id = opened?.request ?? ""
    const other = await kernel.open({ approve: "gate" })
    await kernel.send(other, "Go")
    expect(verdicts(kernel)).toEqual(["ask mode:gate", `allow approval:${id}`])

    const folder = kernel.root
    const revoke = { type: "revoke", folder, approval: id } as const
    const listed = await kernel.kernel.dispatch({ type: "approvals", folder })
    expect(listed).toMatchObject({ approvals: [{ id, rule: { command: "echo" } }] })
    expect(await kernel.kernel.dispatch(revoke)).toMatchObject({ approval: { id } })
    expect(await kernel.kernel.dispatch(revoke)).toMatchObject({
      failure: { code: "approval_unknown" },
    })
    await kernel.send(other, "Again")
    expect(verdicts(kernel).at(-1)).toBe("ask mode:gate")
  })

  test("counts for nothing when its file is damaged, which is said, and nothing is added to it", async () => {
    const kernel = startKernel([echo("a"), says("1"), echo("b"), says("2")])
    await answering(kernel, await kernel.open(gated), save("project"))
    const projects = join(kernel.home, "projects")
    const [key = ""] = readdirSync(projects)
    const file = join(projects, key, "approvals.json")
    expect(statSync(file).mode & 0o777).toBe(0o600)

    writeFileSync(file, '{"version":1,"approvals":[{"rule":{"verdict":"allow"}}]}')
    const { answers } = await answering(kernel, await kernel.open(gated), save("project"), {
      decision: "deny",
    })
    expect(answers).toMatchObject([
      { type: "failed", failure: { code: "approvals_invalid" } },
      { type: "answer" },
    ])
    expect(ofType(kernel.events, "notice").map(({ code }) => code)).toEqual(["approvals_invalid"])
    expect(readFileSync(file, "utf8")).toContain('[{"rule"')
  })
})

describe("what a person writes in the place of the proposal", () => {
  const theirs = { command: "echo theirs" }
  const input: JsonObject = { command: "echo mine" }
  const edited = { decision: "approve", input } as const
  const told = { edited_by: "user", ran: input }

  test("runs when no rule denies it, is on record, and the model is told in the style tools", async () => {
    const kernel = startKernel([calls(1, ["call", theirs]), says("Done.")], {
      config: { rules: [{ verdict: "deny", command: "git push" }] },
    })
    const { opened, answers } = await answering(
      kernel,
      await kernel.open(gated),
      { ...edited, input: { command: 7 } },
      { ...edited, input: { command: "echo a; git push" } },
      edited,
    )
    expect(answers.map(answer => (answer.type === "failed" ? answer.failure.message : ""))).toEqual(
      [expect.stringContaining("call: command: "), expect.stringContaining("rule:1 denies it"), ""],
    )
    expect(ofType(kernel.events, "action_proposed")[0]?.input).toMatchObject(theirs)
    expect(ofType(kernel.events, "request_answered")).toMatchObject([
      { request: opened?.request, by: "user", ...edited },
    ])
    const [first = "", rest = ""] = results(kernel)[0]?.split("\n") ?? []
    expect(JSON.parse(first)).toEqual(told)
    expect(JSON.parse(rest)).toMatchObject({ status: "exited", output: "mine\n", ...told })
  })

  test("is what the function gives back in the style programs", async () => {
    const source = `call call ${JSON.stringify(theirs)}`
    const kernel = startKernel([
      calls(1, ["run_program", { language: "lines", source }]),
      says("Done."),
    ])
    await answering(kernel, await kernel.open({ ...gated, style: "programs" }), edited)
    const shown = /\{.*"edited_by".*\}/.exec(results(kernel)[0] ?? "")?.[0] ?? ""
    expect(JSON.parse(shown)).toMatchObject({ status: "exited", output: "mine\n", ...told })
  })

  test("is what the conversation knows of a file when it goes on", async () => {
    const kernel = startKernel([calls(1, ["note", { path: "a.txt", text: "a" }]), says("Done.")])
    const conversation = await kernel.open(gated)
    await answering(kernel, conversation, {
      decision: "approve",
      input: { path: "b.txt", text: "b" },
    })
    expect(kernel.read("b.txt")).toBe("b")

    writeFileSync(join(kernel.root, "b.txt"), "changed")
    await kernel.resume(conversation, [says("I see.")], gated)
    await kernel.send(conversation, "Go on")
    const messages = JSON.stringify(kernel.requests().at(-1)?.messages)
    expect(messages).toContain("b.txt")
  })
})

test("a denial's word reaches the program as data of the function", async () => {
  const source = `call call ${JSON.stringify({ command: "echo theirs" })}`
  const replies = [calls(1, ["run_program", { language: "lines", source }]), says("Done.")]
  const kernel = startKernel(replies)
  const conversation = await kernel.open({ ...gated, style: "programs" })
  await answering(kernel, conversation, { decision: "deny", note: "not now" })
  expect(results(kernel)[0]).toContain('{"status":"denied","by":"user","reason":"not now"}')
})
