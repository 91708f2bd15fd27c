import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const program = (step: number, source: string) =>
  calls(step, ["run_program", { language: "lines", source }])

test("another style begins requests with other definitions, on record, and they are announced once", async () => {
  const kernel = startKernel([program(1, "print hello"), says("Done.")])
  const conversation = await kernel.open({ style: "programs" })
  await kernel.send(conversation, "Print.")

  await kernel.resume(conversation, [calls(2, ["look", { path: "a.txt" }]), says("No a.txt.")], {
    style: "tools",
  })
  await kernel.send(conversation, "Look at a.txt.")
  const [changed] = ofType(kernel.events, "definitions_changed")
  expect(changed?.announced).toMatch(
    /^harness changed what your requests begin with\.\nNew tools: look, .*\.\nTools that are gone: run_program\.\nNew in the instructions:\nTools\n/,
  )
  const [first] = kernel.requests()
  expect({ instructions: first?.instructions, tools: first?.tools }).toEqual({
    instructions: changed?.instructions,
    tools: changed?.tools,
  })
  expect(first?.messages.at(-1)).toEqual({
    role: "user",
    content: [
      {
        type: "text",
        text: "harness resumed this conversation. What is not as it was:\n- Variables of earlier programs are gone.\n- You work with tools from here on; it was programs.",
      },
      { type: "text", text: changed?.announced },
      { type: "text", text: "Look at a.txt." },
    ],
  })

  await kernel.resume(conversation, [says("Yes.")])
  await kernel.send(conversation, "Still there?")
  expect(ofType(kernel.events, "definitions_changed")).toHaveLength(1)
  expect(ofType(kernel.events, "conversation_resumed").at(-1)).toMatchObject({
    style: "tools",
    told: null,
  })
  const [again] = kernel.requests()
  expect(again?.instructions).toBe(changed?.instructions)
})

test("what was to be told and was not, since no message followed, is told with the next one", async () => {
  const kernel = startKernel([program(1, "print hello"), says("Done.")])
  const conversation = await kernel.open({ style: "programs" })
  await kernel.send(conversation, "Print.")
  await kernel.resume(conversation, [])
  await kernel.resume(conversation, [says("I see.")])
  await kernel.send(conversation, "Go on.")
  expect(JSON.stringify(kernel.requests()[0]?.messages.at(-1))).toContain(
    "Variables of earlier programs are gone.",
  )
  expect(ofType(kernel.events, "conversation_resumed").map(({ told }) => told !== null)).toEqual([
    true,
    false,
  ])
})

test("a service and the temporary folder are gone, and outputs of earlier turns can be read", async () => {
  const kernel = startKernel([
    calls(1, ["serve", { command: "echo up; sleep 300", ready: "up" }]),
    calls(2, ["call", { command: "echo $TMPDIR" }]),
    says("It runs."),
  ])
  const conversation = await kernel.open()
  await kernel.send(conversation, "Serve.")
  await kernel.resume(conversation, [says("Then not.")])
  await kernel.send(conversation, "Does it run?")
  const id = ofType(kernel.events, "process_ended")[0]?.process.output_id ?? ""
  const told = ofType(kernel.events, "conversation_resumed")[0]?.told ?? ""
  expect(told).toContain(`- Not running any more: serve (echo up; sleep 300), ${id}.\n`)
  expect(told).toMatch(/- The temporary folder \S+ is a new one, and empty\.$/)
  const { artifacts } = findConversation(kernel.home, conversation)
  const output = join(artifacts, "processes", id.replace("output:", ""), "output")
  expect(readFileSync(output, "utf8")).toBe("up\n")
})

test("AGENTS.md is sent again only when it says something else", async () => {
  const kernel = startKernel([says("Hello.")], { files: { "AGENTS.md": "Be brief." } })
  const conversation = await kernel.open()
  await kernel.send(conversation, "Hello.")
  await kernel.resume(conversation, [says("Hello.")])
  await kernel.send(conversation, "Again.")
  expect(kernel.requests()[0]?.messages.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: "Again." }],
  })

  writeFileSync(join(kernel.root, "AGENTS.md"), "Be thorough.")
  await kernel.resume(conversation, [says("Hello.")])
  await kernel.send(conversation, "And again.")
  expect(kernel.requests()[0]?.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "AGENTS.md of the project says by now:\n\nBe thorough." },
      { type: "text", text: "And again." },
    ],
  })
})

test("diff, undo, redact and gc have one conversation to work on, whatever it was resumed for", async () => {
  const kernel = startKernel([calls(1, ["note", { path: "a.txt", text: "one" }]), says("One.")])
  const conversation = await kernel.open()
  await kernel.send(conversation, "One.")
  await kernel.resume(conversation, [
    calls(2, ["note", { path: "b.txt", text: "two" }]),
    says("Two."),
  ])
  await kernel.send(conversation, "Two.")
  await kernel.kernel.dispatch({ type: "close", conversation })

  const paths = async (turn?: number) => {
    const answer = await kernel.kernel.dispatch({ type: "changes", conversation, turn })
    return answer.type === "changes" ? answer.files.map(({ path }) => path) : answer
  }
  expect([await paths(), await paths(1), await paths(2)]).toEqual([
    ["a.txt", "b.txt"],
    ["a.txt"],
    ["b.txt"],
  ])
  const shown = await kernel.kernel.dispatch({
    type: "undo",
    conversation,
    turn: 2,
    shown_seq: null,
  })
  const shown_seq = shown.type === "undo" ? shown.seq : 0
  await kernel.kernel.dispatch({ type: "undo", conversation, turn: 2, shown_seq })
  expect([existsSync(join(kernel.root, "a.txt")), existsSync(join(kernel.root, "b.txt"))]).toEqual([
    true,
    false,
  ])

  await kernel.resume(conversation, [
    calls(3, ["note", { path: "c.txt", text: "two" }]),
    says("Three."),
  ])
  await kernel.send(conversation, "Three.")
  expect(ofType(kernel.events, "conversation_resumed").at(-1)?.told).toContain(
    "Files that are gone: b.txt.",
  )
  expect(ofType(kernel.events, "action_proposed").at(-1)?.action_id).toBe("a4")
  await kernel.kernel.dispatch({ type: "close", conversation })
  const { sha256 } = ofType(kernel.events, "action_ended").at(-1)?.receipt.evidence[0] ?? {}
  await kernel.kernel.dispatch({ type: "redact", conversation, evidence: sha256 ?? "" })
  await kernel.kernel.dispatch({ type: "gc", dry_run: false })

  await kernel.resume(conversation, [
    calls(4, ["note", { path: "d.txt", text: "two" }]),
    says("Four."),
  ])
  await kernel.send(conversation, "Four.")
  expect(kernel.read("d.txt")).toBe("two")
  await kernel.kernel.dispatch({ type: "close", conversation })
  const audit = await auditConversation(findConversation(kernel.home, conversation))
  expect(audit).toMatchObject({ holds: true, log: { state: "closed" } })
  expect(audit.findings.map(({ status }) => status)).toEqual(["redacted"])
})
