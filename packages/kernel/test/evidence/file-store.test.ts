import { createHash } from "node:crypto"
import { appendFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isFailure } from "@harness/protocol"
import { describeEvidenceStore } from "@harness/sdk/testing"
import { expect, test } from "vitest"
import { openFileEvidence } from "../../src/evidence/file-store.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

const at = "2026-01-02T03:04:05.000Z"

describeEvidenceStore({
  name: "files",
  async create() {
    const folder = join(await temporaryFolder(), "artifacts", "evidence")
    return {
      open: async () => openFileEvidence({ folder }),
      spoil: async sha256 => {
        const file = join(folder, sha256.slice(0, 2), sha256)
        const bytes = await readFile(file)
        bytes[0] = (bytes[0] ?? 0) ^ 1
        await writeFile(file, bytes)
      },
      dispose: async () => {},
    }
  },
})

async function opened() {
  const folder = join(await temporaryFolder(), "evidence")
  return { folder, store: openFileEvidence({ folder }) }
}

test("a payload lies under the first two digits of its hash, for its owner alone, and no draft stays", async () => {
  const { folder, store } = await opened()
  const { sha256 } = await store.put(Buffer.from("content"))
  await store.put(Buffer.from("content"))
  const parent = join(folder, sha256.slice(0, 2))
  expect(await readdir(parent)).toEqual([sha256])
  expect((await stat(parent)).mode & 0o777).toBe(0o700)
  expect((await stat(join(parent, sha256))).mode & 0o777).toBe(0o600)
})

test("a relation that a crash cut off does not count and does not spoil the next one", async () => {
  const { folder, store } = await opened()
  const link = {
    role: "after",
    sha256: "a".repeat(64),
    bytes: 3,
    path: "a.txt",
    action_id: "a1",
    at,
  }
  store.relate(link)
  const index = join(folder, "index.jsonl")
  await appendFile(index, '{"role":"befo')
  expect(await store.relations()).toEqual([link])

  const later = openFileEvidence({ folder })
  later.relate({ ...link, action_id: "a2" })
  expect(await later.relations()).toEqual([link, { ...link, action_id: "a2" }])
})

test("a relation that is none is reported with its line", async () => {
  const { folder, store } = await opened()
  store.relate({ role: "after", sha256: "a".repeat(64), bytes: 3, action_id: "a1", at })
  const index = join(folder, "index.jsonl")
  await appendFile(index, '{"role":1}\n')
  const error = await thrownBy(() => store.relations())
  expect(isFailure(error, "log_damaged") && error.details).toMatchObject({ file: index, record: 2 })
})

test("content that was redacted is not kept again, and is told from what is missing", async () => {
  const { folder } = await opened()
  const content = Buffer.from("token=abc\n")
  const { sha256 } = await openFileEvidence({ folder }).put(Buffer.from("other"))
  const redacted = createHash("sha256").update(content).digest("hex")
  const store = openFileEvidence({ folder, redacted: new Set([redacted]) })
  expect(await store.put(content)).toEqual({ sha256: redacted, bytes: content.length })
  expect(await store.has(redacted)).toBe(false)
  expect(await store.get(redacted)).toEqual({ status: "redacted" })
  expect((await store.get(sha256)).status).toBe("found")
})

test("a relation that could not be written stands before the next one when there is room again", async () => {
  const folder = join(await temporaryFolder(), "evidence")
  const store = openFileEvidence({ folder })
  const link = {
    role: "after",
    sha256: "a".repeat(64),
    bytes: 3,
    path: "a.txt",
    action_id: "a1",
    at,
  }
  await writeFile(folder, "in the way")
  expect(isFailure(await thrownBy(() => store.relate(link)), "log_unwritable")).toBe(true)
  await rm(folder)
  store.relate({ ...link, action_id: "a2" })
  expect((await store.relations()).map(({ action_id }) => action_id)).toEqual(["a1", "a2"])
})
