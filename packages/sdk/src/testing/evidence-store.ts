import { createHash } from "node:crypto"
import { describe, expect, onTestFinished, test } from "vitest"
import type { EvidenceStore } from "../stores.ts"

/** A store, and the ways in which it is opened and spoiled. */
export type EvidenceUnderTest = {
  /** Opens the same store; may be called again while another is open. */
  open(): Promise<EvidenceStore>
  /** Changes what is stored under a hash, as a broken disk would. */
  spoil(sha256: string): Promise<void>
  /** Removes everything. */
  dispose(): Promise<void>
}

export type EvidenceSuite = {
  name: string
  /** Makes an empty store. */
  create(): Promise<EvidenceUnderTest>
}

/**
 * What every evidence store must do, as tests.
 *
 * @example
 * describeEvidenceStore({ name: "files", create: newStoreInATemporaryFolder })
 */
export function describeEvidenceStore({ name, create }: EvidenceSuite): void {
  describe(`the evidence store in ${name}`, () => {
    async function created(): Promise<EvidenceUnderTest> {
      const underTest = await create()
      onTestFinished(() => underTest.dispose())
      return underTest
    }

    test.each([
      ["text", new TextEncoder().encode("héllo\n")],
      ["nothing", new Uint8Array()],
      ["bytes that are no text", new Uint8Array([0, 255, 10, 254, 13])],
      ["a megabyte", new Uint8Array(1_048_576).fill(7)],
    ])("gives back %s under its sha256, to a later opener too", async (_what, bytes) => {
      const { open } = await created()
      const stored = await (await open()).put(bytes)
      expect(stored).toEqual({ sha256: sha256(bytes), bytes: bytes.length })

      const store = await open()
      const content = await store.get(stored.sha256)
      expect(content.status === "found" && Buffer.compare(content.bytes, bytes)).toBe(0)
      expect(await store.has(stored.sha256)).toBe(true)
    })

    test("says that a payload is missing, and does not take a path for an address", async () => {
      const store = await (await created()).open()
      for (const address of [sha256(payload), "", "../../log.jsonl", sha256(payload).slice(2)]) {
        expect(await store.get(address)).toEqual({ status: "missing" })
        expect(await store.has(address)).toBe(false)
      }
    })

    test("finds a payload that was altered, and heals it when the same content comes again", async () => {
      const { open, spoil } = await created()
      const store = await open()
      const stored = await store.put(payload)
      await spoil(stored.sha256)
      const content = await store.get(stored.sha256)
      expect(content.status === "altered" && content.found !== stored.sha256).toBe(true)

      expect(await store.put(payload)).toEqual(stored)
      expect((await store.get(stored.sha256)).status).toBe("found")
    })

    test("keeps the same content once when many put it at the same time", async () => {
      const { open } = await created()
      const [one, other] = [await open(), await open()]
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).put(payload)),
      )
      expect(new Set(stored.map(({ sha256: address }) => address)).size).toBe(1)
      expect((await one.get(sha256(payload))).status).toBe("found")
    })

    test("relates payloads to what left them, in order, across openings", async () => {
      const { open } = await created()
      const store = await open()
      const { sha256: address, bytes } = await store.put(payload)
      const relations = [
        { role: "before", sha256: address, bytes, path: "src/a.ts", action_id: "a1", at },
        { role: "output", sha256: address, bytes, action_id: "a2", at },
        { role: "after", sha256: address, bytes, path: 'b\n".ts', action_id: "a2", at },
      ]
      expect(await store.relations()).toEqual([])
      for (const relation of relations.slice(0, 2)) store.relate(relation)
      const later = await open()
      for (const relation of relations.slice(2)) later.relate(relation)
      expect(await later.relations()).toEqual(relations)
    })
  })
}

const at = "2026-01-02T03:04:05.000Z"
const payload = new TextEncoder().encode("the content of a file\n")

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
