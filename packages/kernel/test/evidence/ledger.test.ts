import type { DurableEvent } from "@harness/protocol"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createLedger, evidenceBytesOf, type Grant } from "../../src/evidence/ledger.ts"

test("a grant is held until it is settled to what was really used", () => {
  const ledger = createLedger({ limitBytes: 1_000, usedBytes: 100 })
  const grant = ledger.reserve(600)
  expect(grant).toEqual({ status: "granted", bytes: 600 })
  expect(ledger.usedBytes()).toBe(700)
  if (grant.status === "granted") ledger.settle(grant, 20)
  expect(ledger.usedBytes()).toBe(120)
})

test("fewer bytes are granted than asked for when fewer are free, and none when none are", () => {
  const ledger = createLedger({ limitBytes: 1_000, usedBytes: 0 })
  expect(ledger.reserve(900)).toEqual({ status: "granted", bytes: 900 })
  expect(ledger.reserve(900)).toEqual({ status: "granted", bytes: 100 })
  const exhausted = { status: "exhausted", limitBytes: 1_000, usedBytes: 1_000 }
  expect(ledger.reserve(1)).toEqual(exhausted)
  expect(ledger.reserve(0)).toEqual({ status: "granted", bytes: 0 })
})

test("nothing is reserved when less is free than the operation needs at least", () => {
  const ledger = createLedger({ limitBytes: 1_000, usedBytes: 500 })
  const exhausted = { status: "exhausted", limitBytes: 1_000, usedBytes: 500 }
  expect(ledger.reserve(501, { leastBytes: 501 })).toEqual(exhausted)
  expect(ledger.reserve(500, { leastBytes: 500 })).toEqual({ status: "granted", bytes: 500 })
})

test("a grant is settled once", () => {
  const ledger = createLedger({ limitBytes: 1_000, usedBytes: 0 })
  const grant = ledger.reserve(10)
  if (grant.status !== "granted") throw new Error("not granted")
  ledger.settle(grant, 10)
  ledger.settle(grant, 10)
  ledger.settle({ status: "granted", bytes: 500 }, 500)
  expect(ledger.usedBytes()).toBe(10)
})

test("small operations with large grants do not exhaust a small ledger", () => {
  const ledger = createLedger({ limitBytes: 1_048_576, usedBytes: 0 })
  for (let command = 0; command < 40; command += 1) {
    const grant = ledger.reserve(16 * 1_048_576)
    if (grant.status !== "granted") throw new Error(`exhausted at ${command}`)
    ledger.settle(grant, 120)
  }
  expect(ledger.usedBytes()).toBe(4_800)
})

test("whatever is reserved and settled, in any order, it is never below 0 nor above the limit", async () => {
  const operation = fc.oneof(
    fc.record({ reserve: fc.nat(200), least: fc.nat(200) }),
    fc.record({ settle: fc.nat(20), used: fc.nat(300) }),
  )
  const limits = { limitBytes: fc.nat(500), usedBytes: fc.nat(600) }
  await fc.assert(
    fc.property(fc.record(limits), fc.array(operation), (options, operations) => {
      const ledger = createLedger(options)
      const open: Grant[] = []
      for (const step of operations) {
        if ("reserve" in step) {
          const leastBytes = Math.min(step.least, step.reserve)
          const before = ledger.usedBytes()
          const answer = ledger.reserve(step.reserve, { leastBytes })
          if (answer.status === "granted") {
            expect(answer.bytes).toBeGreaterThanOrEqual(leastBytes)
            expect(ledger.usedBytes()).toBe(before + answer.bytes)
            open.push(answer)
          } else {
            expect(options.limitBytes - before).toBeLessThan(leastBytes)
          }
        } else {
          const grant = open[step.settle % Math.max(open.length, 1)]
          if (grant) ledger.settle(grant, step.used)
        }
        expect(ledger.usedBytes()).toBeGreaterThanOrEqual(0)
        expect(ledger.usedBytes()).toBeLessThanOrEqual(options.limitBytes)
      }
      const reserved = ledger.usedBytes()
      for (const grant of open) ledger.settle(grant, 0)
      expect(ledger.usedBytes()).toBeLessThanOrEqual(reserved)
    }),
  )
})

test("the bytes of a log are those of its receipts and its programs", () => {
  const at = "2026-01-02T03:04:05.000Z"
  const step = { turn: 1, step: 1, program: 1 }
  const receipt = { status: "ok" as const, elapsed_ms: 1, evidence: [] }
  const events: DurableEvent[] = [
    {
      seq: 1,
      at,
      type: "program_started",
      ...step,
      call_id: "c1",
      language: "python",
      source: "é",
    },
    {
      seq: 2,
      at,
      type: "action_ended",
      action_id: "a1",
      action: "write_file",
      result: {},
      receipt: { ...receipt, evidence_bytes: 100 },
    },
    {
      seq: 3,
      at,
      type: "program_ended",
      ...step,
      status: "ok",
      exit_code: null,
      error: null,
      calls: 1,
      output_characters: 20,
      output_bytes: 24,
      output_sha256: "0".repeat(64),
      elapsed_ms: 1,
      variables_kept: true,
    },
  ]
  const image = { type: "image" as const, evidence: "1".repeat(64), media_type: "image/png" }
  const pixels = { width: 2, height: 1, bytes: 70 }
  events.push({
    seq: 4,
    at,
    type: "user_message",
    message: {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { ...image, ...pixels },
      ],
    },
  })
  expect(evidenceBytesOf(events)).toBe(196)
  const collected = { seq: 5, at, type: "artifacts_collected" as const, files: 4, bytes: 196 }
  expect(evidenceBytesOf([...events, collected])).toBe(0)
})
