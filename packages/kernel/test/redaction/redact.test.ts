import { hash } from "node:crypto"
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { lockConversation } from "../../src/conversation/lock.ts"
import { readEvents } from "../../src/conversation/log-on-disk.ts"
import { redactEvidence } from "../../src/redaction/redact.ts"
import { keptConversation } from "../audit/support/kept.ts"
import { at } from "../conversation/support/open-log.ts"
import { thrownBy } from "../support/temporary.ts"

const clock = () => Date.parse(at)
const one = hash("sha256", "one\n")
const payload = `artifacts/evidence/${one.slice(0, 2)}/${one}`

async function kept() {
  const { conversation } = await keptConversation()
  return {
    conversation,
    path: (place: string) => join(conversation.folder, place),
    audit: () => auditConversation(conversation),
    redact: (evidence: string, reason: string | null = null) =>
      redactEvidence(conversation, { evidence, reason }, { clock }),
  }
}

test("a payload is emptied under a tombstone in the chain, and the audit holds and says so", async () => {
  const { conversation, path, audit, redact } = await kept()
  expect(await redact(one, "a password")).toEqual({
    type: "redact",
    conversation: conversation.id,
    sha256: one,
    bytes: 4,
    removed: [payload],
    changed: true,
  })
  expect(existsSync(path(payload))).toBe(false)
  expect(readEvents(conversation).at(-1)).toEqual({
    seq: 14,
    at,
    type: "evidence_redacted",
    sha256: one,
    bytes: 4,
    reason: "a password",
  })
  expect(await audit()).toEqual({
    conversation: conversation.id,
    holds: true,
    log: { state: "closed", records: 14, stored_seq: 14 },
    intact: { payloads: 2, processes: 1, programs: 1 },
    findings: [{ status: "redacted", place: payload, detail: "a password" }],
  })
})

test("a beginning of a hash will do, and an output is named by its id", async () => {
  const { path, redact, audit } = await kept()
  expect((await redact(one.slice(0, 10).toUpperCase())).sha256).toBe(one)
  expect((await redact("output:12345678")).removed).toEqual(["artifacts/processes/12345678/output"])
  expect((await redact("output:program-1")).removed).toEqual(["artifacts/programs/1/output"])
  expect(existsSync(path("artifacts/processes/12345678/receipt.json"))).toBe(true)
  expect(await audit()).toMatchObject({
    holds: true,
    intact: { payloads: 2, processes: 0, programs: 0 },
    findings: [{ status: "redacted" }, { status: "redacted" }, { status: "redacted" }],
  })
})

test("a crash between the tombstone and the removal is told by the audit, and a second redact completes it", async () => {
  const { conversation, path, audit, redact } = await kept()
  const crash = () => {
    throw new Error("the process ends here")
  }
  await thrownBy(() =>
    redactEvidence(conversation, { evidence: one, reason: null }, { clock, remove: crash }),
  )
  expect(await audit()).toMatchObject({
    holds: false,
    log: { records: 14 },
    findings: [{ status: "unfinished", place: payload }],
  })
  expect(await redact(one)).toMatchObject({ removed: [payload], changed: false })
  expect(existsSync(path(payload))).toBe(false)
  expect(await audit()).toMatchObject({ holds: true, log: { state: "closed", records: 14 } })
})

test("redacting twice changes nothing the second time", async () => {
  const { redact, audit } = await kept()
  await redact(one)
  expect(await redact(one)).toMatchObject({ removed: [], changed: false })
  expect((await audit()).log.records).toBe(14)
})

test.each(["ffff", "output:none", "output:program-7", "../log.jsonl"])(
  "%s names nothing, and nothing is recorded",
  async evidence => {
    const { redact, audit } = await kept()
    expect(toFailure(await thrownBy(() => redact(evidence)))).toMatchObject({
      code: "evidence_unknown",
      exit: 2,
    })
    expect(await audit()).toMatchObject({ holds: true, log: { records: 13 } })
  },
)

test("a beginning that several hashes have is refused", async () => {
  const { redact } = await kept()
  expect(toFailure(await thrownBy(() => redact("")))).toMatchObject({ code: "evidence_ambiguous" })
})

test("a conversation that another has open is not touched", async () => {
  const { conversation, redact, path } = await kept()
  const lock = lockConversation({ folder: conversation.folder, conversation: conversation.id })
  expect(toFailure(await thrownBy(() => redact(one)))).toMatchObject({
    code: "conversation_locked",
  })
  expect(existsSync(path(payload))).toBe(true)
  lock.release()
})

test("an index that a crash left short is completed first; one that was altered stays as it is", async () => {
  const { path, redact, audit } = await kept()
  const index = path("artifacts/evidence/index.jsonl")
  const text = readFileSync(index, "utf8")
  truncateSync(index, text.length - 30)
  await redact(one)
  expect(readFileSync(index, "utf8")).toBe(text)

  rmSync(index)
  await redact(one)
  expect(readFileSync(index, "utf8")).toBe(text)

  const altered = text.replace("a.txt", "c.txt")
  writeFileSync(index, altered)
  await redact(one)
  expect(readFileSync(index, "utf8")).toBe(altered)
  expect((await audit()).holds).toBe(false)
})
