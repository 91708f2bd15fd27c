import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const text = (said: string) => ({ type: "text", text: said })

test("its model is told that the repository has another HEAD and no uncommitted changes any more", async () => {
  const kernel = startKernel([calls(1, ["note", { path: "b.txt", text: "two" }]), says("Done.")], {
    files: { "a.txt": "one" },
  })
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: kernel.root,
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
      },
      encoding: "utf8",
    }).trim()
  git("init", "-q")
  git("add", ".")
  git("commit", "-q", "-m", "first")
  writeFileSync(join(kernel.root, "a.txt"), "uncommitted")
  const first = git("rev-parse", "HEAD")
  const conversation = await kernel.open()
  await kernel.send(conversation, "Write.")
  await kernel.kernel.dispatch({ type: "close", conversation })
  expect(ofType(kernel.events, "conversation_closed")[0]?.repository).toEqual({
    head: first,
    dirty: true,
  })

  git("commit", "-q", "-a", "-m", "second")
  await kernel.resume(conversation, [says("I see.")])
  const second = git("rev-parse", "HEAD")
  expect(ofType(kernel.events, "conversation_resumed")[0]).toMatchObject({
    repository: { head: second, dirty: false },
    told: [
      "harness resumed this conversation. What is not as it was:",
      `- git HEAD was ${first.slice(0, 12)}, and is ${second.slice(0, 12)}.`,
      "- There were uncommitted changes, and there are none.",
    ].join("\n"),
  })
})

describe("a conversation that was closed goes on", () => {
  test("with its messages, its turn and action numbers, its model and its style, in one log", async () => {
    const kernel = startKernel([calls(1, ["look", { path: "a.txt" }]), says("It says one.")], {
      files: { "a.txt": "one", "AGENTS.md": "Be brief." },
    })
    const first = await kernel.open()
    await kernel.send(first, "What does a.txt say?")
    const before = kernel.requests().at(-1)

    const again = await kernel.resume(first, [
      calls(2, ["note", { path: "a.txt", text: "two" }]),
      says("Now it says two."),
    ])
    const answer = await kernel.send(again, "Make it two.")
    expect(again).toBe(first)
    expect(answer).toMatchObject({
      ending: { status: "answered" },
      spent: { steps: 4, input_tokens: 400, output_tokens: 40 },
    })
    expect(kernel.read("a.txt")).toBe("two")

    const [request] = kernel.requests()
    expect(request?.instructions).toBe(before?.instructions)
    expect(request?.tools).toEqual(before?.tools)
    expect(request?.messages).toEqual([
      ...(before?.messages ?? []),
      { role: "assistant", content: [text("It says one.")] },
      { role: "user", content: [text("Make it two.")] },
    ])
    expect(ofType(kernel.events, "turn_started").map(({ turn }) => turn)).toEqual([1, 2])
    expect(ofType(kernel.events, "action_proposed").map(event => event.action_id)).toEqual([
      "a1",
      "a2",
    ])
    expect(ofType(kernel.events, "conversation_resumed")).toEqual([
      {
        seq: 15,
        at: expect.any(String),
        type: "conversation_resumed",
        conversation: first,
        harness_version: "0.0.0-test",
        model: expect.stringContaining("scripted/"),
        style: "tools",
        approve: "none",
        sandbox: "off",
        network: false,
        folder: kernel.root,
        repository: null,
        told: null,
      },
    ])
    expect(kernel.log().length).toBe(kernel.events.filter(event => "seq" in event).length)

    await kernel.kernel.dispatch({ type: "close", conversation: first })
    const audit = await auditConversation(findConversation(kernel.home, first))
    expect(audit).toMatchObject({ holds: true, findings: [], log: { state: "closed" } })
  })

  test("and its model is told which files changed, with the message; they must be read again", async () => {
    const kernel = startKernel(
      [
        calls(1, ["look", { path: "a.txt" }], ["look", { path: "b.txt" }]),
        calls(2, ["note", { path: "c.txt", text: "new" }]),
        says("Read."),
      ],
      { files: { "a.txt": "one", "b.txt": "one" } },
    )
    const conversation = await kernel.open()
    await kernel.send(conversation, "Read both.")
    writeFileSync(join(kernel.root, "a.txt"), "by hand")

    await kernel.resume(conversation, [
      calls(
        3,
        ["note", { path: "a.txt", text: "mine" }],
        ["note", { path: "b.txt", text: "mine" }],
      ),
      says("Done."),
    ])
    await kernel.send(conversation, "Change both.")
    const told =
      "harness resumed this conversation. What is not as it was:\n- Files that changed: a.txt. Read them again before you change them."
    expect(kernel.requests()[0]?.messages.at(-1)).toEqual({
      role: "user",
      content: [text(told), text("Change both.")],
    })
    expect(
      ofType(kernel.events, "action_ended")
        .slice(-2)
        .map(({ result }) => result),
    ).toEqual([
      { error: "conflict", found: hash("sha256", "by hand") },
      { sha256: hash("sha256", "mine") },
    ])
    expect(kernel.read("a.txt")).toBe("by hand")
  })
})
