import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const program = (step: number, source: string) =>
  calls(step, ["run_program", { language: "lines", source }])

const command = (text: string) => `call call ${JSON.stringify({ command: text })}`

/** Audits while it is open and when it is closed. */
async function audits(kernel: ReturnType<typeof startKernel>, conversation: string) {
  const found = findConversation(kernel.home, conversation)
  const open = await auditConversation(found)
  await kernel.kernel.dispatch({ type: "close", conversation })
  return { open, closed: await auditConversation(found) }
}

test.each(["off", "os"] as const)(
  "what programs and commands leave with --sandbox %s is as the records say, open and closed",
  async sandbox => {
    const kernel = startKernel([
      program(
        1,
        `print {root} {!temp}\n${command("pwd; echo $TMPDIR; touch package.json; exit 3")}`,
      ),
      program(2, "repeat 30000 é\nfail because"),
      program(3, "lose"),
      says("Done."),
    ])
    const conversation = await kernel.open({ style: "programs", sandbox })
    await kernel.send(conversation, `Look at ${kernel.root}`)
    const { open, closed } = await audits(kernel, conversation)
    expect(open).toMatchObject({ holds: true, log: { state: "open" } })
    expect(closed).toMatchObject({
      holds: true,
      log: { state: "closed" },
      intact: { payloads: 1, processes: 1, programs: 3 },
      findings: [],
    })
  },
)

test("a service, one that the close ends, and a command whose worker was lost are as the records say", async () => {
  const kernel = startKernel([
    calls(1, ["serve", { command: "echo up; sleep 600", ready: "up" }]),
    calls(2, ["end", {}]),
    calls(3, ["call", { command: "echo begun; kill -9 $PPID; sleep 600" }]),
    calls(4, ["serve", { command: "echo up; sleep 600", ready: "up" }]),
    says("Done."),
  ])
  const conversation = await kernel.open()
  await kernel.send(conversation, "Serve")
  const { open, closed } = await audits(kernel, conversation)
  expect(open).toMatchObject({ holds: true, intact: { processes: 2 } })
  expect(closed).toMatchObject({ holds: true, intact: { processes: 3 }, findings: [] })
})
