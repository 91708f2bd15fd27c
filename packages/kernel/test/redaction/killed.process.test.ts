import { spawn } from "node:child_process"
import { hash } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { collectGarbage } from "../../src/collection/collect.ts"
import { redactEvidence } from "../../src/redaction/redact.ts"
import { keptConversation } from "../audit/support/kept.ts"

const script = fileURLToPath(new URL("./support/killed.ts", import.meta.url))

/** Runs the script to the SIGKILL that it sends itself. */
async function killed(what: "redact" | "gc", home: string, id: string): Promise<void> {
  const args = ["--conditions=@harness/source", script, what, home, id]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] })
  const [, signal] = await once(child, "close")
  expect(signal).toBe("SIGKILL")
}

test("killed between its tombstone and the removal, a redaction is told by the audit and completed by the next", async () => {
  const { home, conversation } = await keptConversation()
  await killed("redact", home, conversation.id)
  expect(await auditConversation(conversation)).toMatchObject({
    holds: false,
    log: { state: "unclosed", records: 14, stored_seq: 13 },
    findings: [{ status: "unfinished" }],
  })

  const options = { clock: Date.now }
  const evidence = hash("sha256", "one\n")
  const completed = await redactEvidence(conversation, { evidence, reason: null }, options)
  expect(completed).toMatchObject({ changed: false, removed: [expect.stringContaining(evidence)] })
  expect(await auditConversation(conversation)).toMatchObject({
    holds: true,
    log: { state: "closed", records: 15 },
    findings: [{ status: "redacted" }],
  })
})

test("killed between its tombstone and the removal, a collection is completed by the next", async () => {
  const { home, conversation } = await keptConversation()
  await killed("gc", home, conversation.id)
  expect(await auditConversation(conversation)).toMatchObject({
    holds: false,
    log: { state: "unclosed", records: 14 },
  })

  const options = { home, olderThanSeconds: null, dryRun: false, clock: Date.now }
  expect((await collectGarbage(options)).files).toBe(8)
  expect(await auditConversation(conversation)).toMatchObject({
    holds: true,
    log: { state: "closed", records: 15 },
    findings: [{ status: "collected" }],
  })
})
