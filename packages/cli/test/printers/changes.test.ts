import { hash } from "node:crypto"
import type { FileState, ProcessReceipt } from "@harness/protocol"
import { expect, test } from "vitest"
import { type Changing, changeList } from "../../src/printers/changes.ts"

type Version = string | Uint8Array

const bytesOf = (version: Version) => Buffer.from(version)

/** The receipt of an action that took the file from one version to another. */
function changed(path: string, from: Version | null, to: Version): Changing {
  const link = (role: string, version: Version) => {
    const bytes = bytesOf(version)
    return { role, sha256: hash("sha256", bytes), bytes: bytes.length, path }
  }
  const evidence = [...(from === null ? [] : [link("before", from)]), link("after", to)]
  return { evidence }
}

function diffsOf(receipts: readonly Changing[], kept: readonly Version[]) {
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

/** What a command left that took files from one text to another; of `keep` the contents too. */
function command(
  files: Record<string, [before: string | null, after: string | null]>,
  keep: readonly string[],
): Changing {
  const state = (text: string | null): FileState | null =>
    text === null
      ? null
      : { type: "file", bytes: text.length, mode: 0o644, sha256: hash("sha256", text) }
  const process: ProcessReceipt = {
    id: "p1",
    status: "exited",
    exit_code: 0,
    signal: null,
    elapsed_seconds: 1,
    output_bytes: 0,
    dropped_bytes: 0,
    output_sha256: hash("sha256", ""),
    output_id: "output:p1",
    truncated: false,
    changes: {
      files: Object.entries(files).map(([path, [before, after]]) => ({
        path,
        before: state(before),
        after: state(after),
      })),
      truncated: false,
    },
  }
  const evidence = keep.map(text => ({
    role: "command_after",
    sha256: hash("sha256", text),
    bytes: text.length,
  }))
  return { evidence, process }
}

test("what changed while commands ran is told apart from what actions changed", async () => {
  const changes = changeList()
  changes.add(changed("a.txt", null, "a\n"))
  changes.add(command({ "b.txt": ["1\n", "2\n"], "c.txt": [null, "c\n"] }, ["1\n", "2\n"]))
  changes.add(command({ "b.txt": ["2\n", "3\n"], "d.txt": ["d\n", null] }, ["2\n", "3\n", "d\n"]))
  const read = async (sha256: string) =>
    ["a\n", "1\n", "3\n", "d\n"].map(bytesOf).find(bytes => hash("sha256", bytes) === sha256) ??
    null

  expect(await changes.diffs(read)).toEqual(["--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n"])
  expect(await changes.commandDiffs(read)).toEqual({
    diffs: [
      "--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-1\n+3\n",
      "c.txt: created -> 2 bytes (content not kept)",
      "--- a/d.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-d\n",
    ],
    more: 0,
  })
})

test("of very many files that commands changed the first are shown and the rest counted", async () => {
  const changes = changeList()
  const names = Array.from({ length: 23 }, (_, n) => [`f${n}`, [null, "x"]])
  changes.add(command(Object.fromEntries(names), []))
  const { diffs, more } = await changes.commandDiffs(async () => null)
  expect([diffs.length, more]).toEqual([20, 3])
})
