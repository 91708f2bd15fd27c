import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { receiptOfLost } from "../../src/scheduler/lost-process.ts"
import { temporaryFolder } from "../support/temporary.ts"

const id = "1f3c09ab"
const unknown = {
  id,
  status: "unknown",
  exit_code: null,
  signal: null,
  elapsed_seconds: expect.any(Number),
  output_bytes: 5,
  dropped_bytes: 0,
  output_sha256: createHash("sha256").update("told\n").digest("hex"),
  output_id: `output:${id}`,
  truncated: true,
  reason: "worker_lost",
}

test("the receipt of a lost process is waited for", async () => {
  const processes = await temporaryFolder()
  const folder = join(processes, id)
  mkdirSync(folder)
  const closed = { ...unknown, status: "session_closed", elapsed_seconds: 3 }
  const waiting = receiptOfLost(processes, id)
  writeFileSync(join(folder, "receipt.json"), JSON.stringify(closed).slice(0, 40))
  writeFileSync(join(folder, "whole"), JSON.stringify(closed))
  setTimeout(() => renameSync(join(folder, "whole"), join(folder, "receipt.json")), 60)
  expect(await waiting).toEqual(closed)
})

test("where nobody writes it, it is written here and says that nobody saw the end", async () => {
  const processes = await temporaryFolder()
  const folder = join(processes, id)
  mkdirSync(folder)
  writeFileSync(join(folder, "output"), "told\n")
  const receipt = await receiptOfLost(processes, id, { waitMs: 0 })
  expect(receipt).toEqual(unknown)
  expect(JSON.parse(readFileSync(join(folder, "receipt.json"), "utf8"))).toEqual(receipt)
})

test("a process that was lost before it had an output has an empty one", async () => {
  const receipt = await receiptOfLost(await temporaryFolder(), id, { waitMs: 0 })
  expect(receipt).toEqual({
    ...unknown,
    output_bytes: 0,
    output_sha256: createHash("sha256").digest("hex"),
    truncated: false,
  })
})
