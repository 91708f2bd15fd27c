import { hash } from "node:crypto"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const mebibyte = 1_048_576
const config = { limits: { evidence_bytes: mebibyte } }

test("a write that the budget does not hold is refused before, the file stays, and the reason names the budget", async () => {
  const text = "b".repeat(2 * mebibyte)
  const expected = hash("sha256", "a")
  const kernel = startKernel([calls(1, ["note", { path: "a.txt", text, expected }])], {
    files: { "a.txt": "a" },
    config,
  })
  const conversation = await kernel.open()
  const { ending } = await kernel.send(conversation, "Write")
  expect(ending).toEqual({
    status: "limit_reached",
    limit: "evidence",
    message: expect.stringMatching(
      /^The conversation's evidence has no room left\. Spent: .*\. To go on, raise limits\.evidence_bytes in config\.jsonc, then: harness run --resume id\d+ "go on"$/,
    ),
  })
  expect(ofType(kernel.events, "action_ended")).toMatchObject([
    {
      result: {
        error: "evidence_exhausted",
        message: expect.stringContaining("does not fit into the 1048576 bytes of evidence"),
      },
      receipt: { status: "error", evidence: [], evidence_bytes: 0 },
    },
  ])
  expect(kernel.read("a.txt")).toBe("a")
  await kernel.kernel.dispatch({ type: "close", conversation })
  expect(await auditConversation(findConversation(kernel.home, conversation))).toMatchObject({
    holds: true,
    intact: { payloads: 0 },
  })
})

test("forty small commands are settled to their real size and do not exhaust a small budget", async () => {
  const command = (step: number) => calls(step, ["call", { command: `echo ${step}` }])
  const kernel = startKernel(
    [...Array.from({ length: 40 }, (_, step) => command(step + 1)), says("Done.")],
    { config },
  )
  const conversation = await kernel.open()
  expect((await kernel.send(conversation, "Go")).ending).toEqual({ status: "answered" })
  const ended = ofType(kernel.events, "action_ended")
  expect(ended.map(({ receipt }) => receipt.process?.status)).toEqual(Array(40).fill("exited"))
  await kernel.kernel.dispatch({ type: "close", conversation })
  expect(await auditConversation(findConversation(kernel.home, conversation))).toMatchObject({
    holds: true,
    intact: { processes: 40 },
  })
})
