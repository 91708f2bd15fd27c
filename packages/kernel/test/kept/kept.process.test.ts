import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

test("a conversation that is open is forked, renamed and listed, and not deleted; its fork goes on by itself", async () => {
  const kernel = startKernel(
    [
      calls(1, ["note", { path: "a.txt", text: "two", expected: "absent" }]),
      calls(2, ["serve", { command: "echo listening; sleep 600", ready: "listening" }]),
      says("It runs."),
      says("And now?"),
    ],
    { files: { "b.txt": "one" } },
  )
  const { dispatch } = kernel.kernel
  const conversation = await kernel.open()
  await kernel.send(conversation, "Start it.")
  const asked = kernel.requests().at(-1)
  await kernel.send(conversation, "Go on.")

  const forked = await dispatch({ type: "fork", conversation: conversation.slice(0, 5), turn: 1 })
  if (forked.type === "failed") throw new Error(forked.failure.message)
  expect(await dispatch({ type: "rename", conversation, title: "  The\nserver " })).toEqual({
    type: "rename",
    title: "The server",
  })
  expect(ofType(kernel.events, "conversation_renamed")).toMatchObject([{ title: "The server" }])
  expect(await dispatch({ type: "rename", conversation, title: "\n" })).toMatchObject({
    type: "failed",
    failure: { code: "command_invalid" },
  })
  expect(await dispatch({ type: "delete", conversation })).toMatchObject({
    type: "failed",
    failure: { code: "conversation_locked" },
  })
  expect(await dispatch({ type: "conversations", folder: kernel.root })).toMatchObject({
    conversations: [
      { id: conversation, title: "The server", turns: 2, steps: 4, open: true },
      { id: forked.conversation, title: "Start it.", turns: 1, steps: 3, open: false },
    ],
    damaged: [],
  })

  const fork = findConversation(kernel.home, forked.conversation)
  expect(await auditConversation(fork)).toMatchObject({ holds: true, findings: [] })
  writeFileSync(join(kernel.root, "b.txt"), "by hand")
  await kernel.resume(forked.conversation, [says("It is not running here.")])
  await kernel.send(forked.conversation, "Does it run?")
  const [request] = kernel.requests()
  expect(request?.instructions).toBe(asked?.instructions)
  expect(request?.messages.slice(0, asked?.messages.length)).toEqual(asked?.messages)
  expect(request?.messages.at(-1)).toMatchObject({
    role: "user",
    content: [
      { text: expect.stringMatching(/Not running any more: serve \(echo listening.*\), output:/) },
      { text: "Does it run?" },
    ],
  })

  await dispatch({ type: "close", conversation: forked.conversation })
  expect(await auditConversation(fork)).toMatchObject({ holds: true, findings: [] })
  await dispatch({ type: "close", conversation })
  const original = findConversation(kernel.home, conversation)
  expect(await auditConversation(original)).toMatchObject({ holds: true, findings: [] })
})
