import { hash } from "node:crypto"
import type { ActionReceipt } from "@harness/protocol"
import { expect, test } from "vitest"
import { changeList } from "../../src/printers/changes.ts"

type Version = string | Uint8Array

const bytesOf = (version: Version) => Buffer.from(version)

/** The receipt of an action that took the file from one version to another. */
function changed(path: string, from: Version | null, to: Version): ActionReceipt {
  const link = (role: string, version: Version) => {
    const bytes = bytesOf(version)
    return { role, sha256: hash("sha256", bytes), bytes: bytes.length, path }
  }
  const evidence = [...(from === null ? [] : [link("before", from)]), link("after", to)]
  return { status: "ok", elapsed_ms: 1, evidence_bytes: 0, evidence }
}

function diffsOf(receipts: readonly ActionReceipt[], kept: readonly Version[]) {
  const changes = changeList()
  for (const receipt of receipts) changes.add(receipt)
  return changes.diffs(async sha256 => {
    return kept.map(bytesOf).find(bytes => hash("sha256", bytes) === sha256) ?? null
  })
}

test("several changes of a file are one diff, from before the first to after the last", async () => {
  const receipts = [changed("b.txt", "1\n", "2\n"), changed("b.txt", "2\n", "3\n")]
  expect(await diffsOf(receipts, ["1\n", "2\n", "3\n"])).toEqual([
    "--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-1\n+3\n",
  ])
})

test("a file that was created and changed again is new, and files come by path", async () => {
  const receipts = [
    changed("b.txt", null, "1\n"),
    changed("a.txt", null, "a\n"),
    changed("b.txt", "1\n", "2\n"),
  ]
  expect(await diffsOf(receipts, ["1\n", "2\n", "a\n"])).toEqual([
    "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n",
    "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+2\n",
  ])
})

test("a file that is again as it was did not change", async () => {
  const receipts = [changed("a.txt", "1\n", "2\n"), changed("a.txt", "2\n", "1\n")]
  expect(await diffsOf(receipts, ["1\n", "2\n"])).toEqual([])
})

test("of what is no text, or is not there any more, the sizes are told", async () => {
  const binary = Uint8Array.of(0xff, 0xfe)
  const receipts = [changed("image", binary, "1\n"), changed("lost.txt", null, "2\n")]
  expect(await diffsOf(receipts, [binary, "1\n"])).toEqual([
    "image: 2 bytes -> 2 bytes (binary)",
    "lost.txt: created -> 2 bytes (content missing)",
  ])
})
