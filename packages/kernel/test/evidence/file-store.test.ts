import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isFailure } from "@harness/protocol"
import { describeEvidenceStore } from "@harness/sdk/testing"
import { expect, test } from "vitest"
import { openFileEvidence } from "../../src/evidence/file-store.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

const now = () => Date.parse("2026-01-02T03:04:05.000Z")

describeEvidenceStore({
  name: "files",
  async create() {
    const folder = join(await temporaryFolder(), "artifacts", "evidence")
    return {
      open: async () => openFileEvidence({ folder, now }),
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
  return { folder, store: openFileEvidence({ folder, now }) }
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
  const link = { role: "after", sha256: "a".repeat(64), bytes: 3, path: "a.txt", action_id: "a1" }
  store.relate(link)
  const at = "2026-01-02T03:04:05.000Z"
  const index = join(folder, "index.jsonl")
  await appendFile(index, '{"role":"befo')
  expect(await store.relations()).toEqual([{ ...link, at }])

  const later = openFileEvidence({ folder, now })
  later.relate({ ...link, action_id: "a2" })
  expect(await later.relations()).toEqual([
    { ...link, at },
    { ...link, action_id: "a2", at },
  ])
})

test("a relation that is none is reported with its line", async () => {
  const { folder, store } = await opened()
  store.relate({ role: "after", sha256: "a".repeat(64), bytes: 3 })
  const index = join(folder, "index.jsonl")
  await appendFile(index, '{"role":1}\n')
  const error = await thrownBy(() => store.relations())
  expect(isFailure(error, "log_damaged") && error.details).toMatchObject({ file: index, record: 2 })
})
