import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { inventoryOf } from "../../src/audit/inventory.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { readEvents } from "../../src/conversation/log-on-disk.ts"
import { messagesOf } from "../../src/conversation/messages.ts"
import { deleteConversation } from "../../src/kept/delete.ts"
import { forkConversation } from "../../src/kept/fork.ts"
import { redactEvidence } from "../../src/redaction/redact.ts"
import { readSummary } from "../../src/statistics/read-summary.ts"
import { type KeptConversation, keptConversation } from "../audit/support/kept.ts"
import { turn } from "../conversation/support/turn.ts"
import { thrownBy } from "../support/temporary.ts"

const clock = () => Date.parse("2026-02-03T04:05:06.000Z")
const forkId = "f0f0f0f0f0f0"

function fork({ home, conversation }: KeptConversation, turn: number | null = null) {
  const id = forkConversation(conversation, turn, { home, ids: () => forkId, clock })
  return findConversation(home, id)
}

const ended = (turn: number) =>
  ({
    type: "turn_ended",
    turn,
    ending: { status: "answered" },
    verification: "not_requested",
  }) as const

describe("a fork", () => {
  test("holds the records up to the turn's end in a chain of its own, and leaves the other as it was", async () => {
    const kept = await keptConversation()
    await kept.record({ type: "turn_started", turn: 2 }, ...turn.slice(1, -1), ended(2))
    const before = inventoryOf(kept.conversation.folder).map(({ place }) => [
      place,
      readFileSync(join(kept.conversation.folder, place), "latin1"),
    ])
    const original = readEvents(kept.conversation)
    const copied = original.slice(0, 12)
    expect(copied.at(-1)).toMatchObject(ended(1))

    const forked = fork(kept, 1)
    const events = readEvents(forked)
    expect(events[0]).toEqual({
      seq: 1,
      at: "2026-02-03T04:05:06.000Z",
      type: "conversation_forked",
      conversation: forkId,
      from: kept.conversation.id,
      from_seq: 12,
    })
    expect(events.slice(1, 13)).toEqual(
      copied.map(event => {
        const renumbered = { ...event, seq: event.seq + 1 }
        return event.type === "turn_ended"
          ? { ...renumbered, head: expect.stringMatching(/^[0-9a-f]{64}$/) }
          : renumbered
      }),
    )
    expect(events.slice(13).map(({ type }) => type)).toEqual(["conversation_closed"])
    expect(messagesOf(events)).toEqual(messagesOf(copied))
    expect(await auditConversation(forked)).toMatchObject({
      holds: true,
      findings: [],
      log: { state: "closed", records: 14 },
      intact: { payloads: 3, processes: 1, programs: 1 },
    })
    expect(
      inventoryOf(kept.conversation.folder).map(({ place }) => [
        place,
        readFileSync(join(kept.conversation.folder, place), "latin1"),
      ]),
    ).toEqual(before)
    expect(await readSummary(forked.log)).toMatchObject({ turns: 1, spending: [] })
  })

  test("keeps what it copied when the other one is deleted, without holding it twice", async () => {
    const kept = await keptConversation()
    const forked = fork(kept)
    const [payload] = inventoryOf(forked.folder).filter(({ place }) =>
      /evidence\/[0-9a-f]{2}\//.test(place),
    )
    expect(statSync(join(forked.folder, payload?.place ?? "")).nlink).toBe(2)

    await deleteConversation(kept.conversation, kept.home)
    expect(await auditConversation(forked)).toMatchObject({ holds: true, findings: [] })
    expect(await thrownBy(() => findConversation(kept.home, kept.conversation.id))).toMatchObject({
      code: "conversation_unknown",
    })
  })

  test("of a fork, at an earlier turn, holds and counts what is its own alone", async () => {
    const kept = await keptConversation()
    const first = fork(kept)
    const id = forkConversation(first, 1, { home: kept.home, ids: () => "0123456789ab", clock })
    const second = findConversation(kept.home, id)
    expect(await auditConversation(second)).toMatchObject({ holds: true, findings: [] })
    expect(
      readEvents(second)
        .map(({ type }) => type)
        .slice(0, 3),
    ).toEqual(["conversation_forked", "conversation_forked", "turn_started"])
  })

  test("shows the steps that it copied, and counts their cost where they were made", async () => {
    const kept = await keptConversation()
    await kept.record({ type: "turn_started", turn: 2 }, ...turn.slice(1, -1), ended(2))
    const forked = fork(kept)
    const original = await readSummary(kept.conversation.log)
    expect(original).toMatchObject({ turns: 2, steps: 2 })
    expect(original.spending).toHaveLength(2)
    expect(await readSummary(forked.log)).toEqual({
      ...original,
      started_at: "2026-02-03T04:05:06.000Z",
      last_at: "2026-02-03T04:05:06.000Z",
      spending: [],
    })
  })

  test("has nothing of what was redacted in the other one since", async () => {
    const kept = await keptConversation()
    const [payload = ""] = inventoryOf(kept.conversation.folder).flatMap(
      ({ place }) => /evidence\/[0-9a-f]{2}\/([0-9a-f]{64})/.exec(place)?.[1] ?? [],
    )
    await redactEvidence(kept.conversation, { evidence: payload, reason: "a key" }, { clock })
    const forked = fork(kept, 1)
    expect(readEvents(forked).slice(-2)).toMatchObject([
      { type: "evidence_redacted", sha256: payload, reason: "a key" },
      { type: "conversation_closed" },
    ])
    expect(await auditConversation(forked)).toMatchObject({
      holds: true,
      findings: [{ status: "redacted", detail: "a key" }],
    })
  })

  test("has nothing of what gc collected in the other one since", async () => {
    const kept = await keptConversation()
    rmSync(kept.conversation.artifacts, { recursive: true })
    await kept.record({ type: "artifacts_collected", files: 9, bytes: 99 })
    expect(await auditConversation(fork(kept, 1))).toMatchObject({
      holds: true,
      findings: [{ status: "collected" }],
    })
  })

  test("has what a process that ran on had printed, and does not know its end", async () => {
    const kept = await keptConversation()
    const { conversation } = kept
    const output = join(conversation.processes, "12345678", "output")
    const [ran] = readEvents(conversation).filter(
      event => event.type === "action_ended" && event.action_id === "a3",
    )
    if (ran?.type !== "action_ended" || ran.receipt.process === undefined) throw new Error("no a3")
    const { seq: _seq, at: _at, ...body } = ran
    await kept.record(
      { type: "turn_started", turn: 2 },
      {
        ...body,
        receipt: { ...ran.receipt, process: { ...ran.receipt.process, status: "running" } },
      },
      ended(2),
    )
    writeFileSync(output, "listening\n")

    const forked = fork(kept)
    expect(readEvents(forked).slice(-2)).toMatchObject([
      {
        type: "process_ended",
        action_id: "a3",
        process: { id: "12345678", status: "unknown", reason: "forked", output_bytes: 10 },
      },
      { type: "conversation_closed" },
    ])
    expect(await auditConversation(forked)).toMatchObject({ holds: true, findings: [] })
    writeFileSync(output, "listening\nmore\n")
    expect(readFileSync(join(forked.processes, "12345678", "output"), "utf8")).toBe("listening\n")
  })
})

test("a turn that is not there, or has not ended, is refused and nothing is left", async () => {
  const kept = await keptConversation()
  await kept.record({ type: "turn_started", turn: 2 })
  const conversation = kept.conversation.id
  expect(await thrownBy(() => fork(kept, 2))).toMatchObject({
    code: "turn_not_ended",
    details: { conversation, turn: 2 },
  })
  expect(await thrownBy(() => fork(kept, 3))).toMatchObject({
    code: "turn_unknown",
    details: { conversation, turn: 3, count: 2 },
  })
  expect(await thrownBy(() => findConversation(kept.home, forkId))).toMatchObject({
    code: "conversation_unknown",
  })
})
