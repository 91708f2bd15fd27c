import { hash } from "node:crypto"
import { expect, test } from "vitest"
import { evidenceOnDisk } from "../../src/changes/evidence-on-disk.ts"
import { redactEvidence } from "../../src/redaction/redact.ts"
import { keptConversation } from "../audit/support/kept.ts"

test("evidence of a closed conversation is found, was redacted, or was never there", async () => {
  const { conversation } = await keptConversation()
  const [one, two, none] = ["one\n", "two\n", "none\n"].map(text => hash("sha256", text))
  const options = { clock: Date.now }
  await redactEvidence(conversation, { evidence: String(one), reason: null }, options)
  const answers = await Promise.all(
    [one, two, none].map(sha256 => evidenceOnDisk(conversation, String(sha256))),
  )
  expect(answers).toEqual([
    { status: "redacted" },
    { status: "found", bytes: Buffer.from("two\n") },
    { status: "missing" },
  ])
})
