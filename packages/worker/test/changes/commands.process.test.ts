import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import type { FileChange, FileState } from "@harness/protocol"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sha256Of } from "../../src/files/content.ts"
import { makePool, type TestPool } from "../support/pool.ts"
import { openWorker } from "../support/worker.ts"

let pool: TestPool

beforeEach(() => {
  pool = makePool()
})

afterEach(async () => {
  await pool.dispose()
})

const at = (path: string) => join(pool.folders.path, path)
const fileOf = (text: string, mode = 0o644): FileState => ({
  type: "file",
  bytes: Buffer.byteLength(text),
  mode,
  sha256: sha256Of(Buffer.from(text)),
})

test("a command's receipt, the kept one too, says what it changed and touched", async () => {
  pool.folders.put({ "root/a": "one\n", "root/b": "two\n", "root/package.json": "{}\n" })
  const end = await pool.run({ shell: "echo 1 > a; rm b; echo c > c; echo >> package.json" })
  expect(end.receipt.changes).toEqual({
    files: [
      { path: "a", before: fileOf("one\n"), after: fileOf("1\n") },
      { path: "b", before: fileOf("two\n"), after: null },
      { path: "c", before: null, after: fileOf("c\n") },
      { path: "package.json", before: fileOf("{}\n"), after: fileOf("{}\n\n") },
    ],
    truncated: false,
  })
  expect(end.receipt.containment?.touched).toEqual(["package.json"])
  expect(pool.kept(end).receipt).toEqual(end.receipt)
})

test("a command that changes nothing, does not start, or is a tool of an action says nothing", async () => {
  pool.folders.put({ "root/a": "one\n" })
  const read = await pool.run({ shell: "cat a" })
  expect(read.receipt).not.toHaveProperty("changes")
  const scratch = await pool.run({ shell: "echo 1 > b", scratch: true })
  expect(scratch.receipt).not.toHaveProperty("changes")
  const missing = await pool.run({ argv: ["no-such-program"] })
  expect(missing.receipt).not.toHaveProperty("changes")
})

test("a command that is ended by its deadline has its changes told", async () => {
  const end = await pool.run({ shell: "echo 1 > a; sleep 60", timeoutSeconds: 0.3 })
  expect(end.receipt.status).toBe("timeout")
  expect(end.receipt.changes?.files.map(({ path }) => path)).toEqual(["a"])
})

test("what changes while a process runs in the background is its change, beside other processes'", async () => {
  const worker = await openWorker()
  try {
    const shell = "until [ -e go ]; do sleep 0.02; done; echo 1 > late"
    const service = await worker.run("start", { shell })
    const meanwhile = await worker.run("run", { shell: "echo 1 > mine" })
    const after = await worker.run("run", { shell: "echo 1 > go" })
    const end = await worker.reply(({ type }) => type === "process_ended")

    expect(meanwhile.process?.changes).toEqual({
      files: [{ path: "mine", before: null, after: fileOf("1\n") }],
      truncated: false,
      beside: [service.process?.id],
    })
    expect(end).toMatchObject({
      receipt: {
        changes: {
          files: [
            { path: "go", before: null, after: fileOf("1\n") },
            { path: "late", before: null, after: fileOf("1\n") },
            { path: "mine", before: null, after: fileOf("1\n") },
          ],
          truncated: false,
          beside: [meanwhile.process?.id, after.process?.id],
        },
      },
      evidence: [
        { role: "command_after", path: "go" },
        { role: "command_after", path: "late" },
        { role: "command_after", path: "mine" },
      ],
    })
  } finally {
    await worker.dispose()
  }
})

test("a write of the conversation's own is not the change of a process that runs beside it", async () => {
  const worker = await openWorker()
  try {
    const running = worker.run("run", { shell: "until [ -e go ]; do sleep 0.02; done; echo 1 > b" })
    await worker.reply(({ type }) => type === "process_began")
    await worker.run("write", { path: "mine", text: "mine", expected: "absent" })
    await worker.run("write", { path: "go", text: "", expected: "absent" })
    const { process, evidence } = await running
    expect(process?.changes?.files.map(({ path }) => path)).toEqual(["b"])
    expect(evidence).toEqual([
      { role: "command_after", path: "b", bytes: 2, sha256: sha256Of(Buffer.from("1\n")) },
    ])
  } finally {
    await worker.dispose()
  }
})

const names = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/f", "x y", "ü")
const texts = fc.constantFrom("", "1", "2", "one\n", "two\n")
const operations = fc.oneof(
  fc
    .tuple(names, texts)
    .map(([path, text]) => `mkdir -p "$(dirname '${path}')"; printf '${text}' > '${path}'`),
  fc.tuple(names, texts).map(([path, text]) => `printf '${text}' >> '${path}'`),
  names.map(path => `rm -rf '${path}'`),
  fc.tuple(names, names).map(([from, to]) => `mv '${from}' '${to}'`),
  fc.tuple(names, names).map(([from, to]) => `cp '${from}' '${to}'`),
  fc.tuple(names, names).map(([from, to]) => `ln -s '${from}' '${to}'`),
  fc.tuple(names, names).map(([from, to]) => `ln '${from}' '${to}'`),
  fc
    .tuple(names, fc.constantFrom("600", "644", "755"))
    .map(([path, mode]) => `chmod ${mode} '${path}'`),
  names.map(path => `touch -d @1 '${path}'`),
  fc.constant("rm -rf d"),
)

test("whatever a command does to files, the list is the difference of the tree before and after", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operations, { maxLength: 12 }), async script => {
      const before = treeOf("")
      const end = await pool.run({ shell: `exec 2>/dev/null\n${script.join("\n")}\n` })
      expect(end.receipt.status).toBe("exited")
      expect(end.receipt.changes?.files ?? []).toEqual(differenceOf(before, treeOf("")))
    }),
    { numRuns: 150 },
  )
})

/** Every file and link, read without any of our own code. */
function treeOf(folder: string): Map<string, FileState> {
  const found = new Map<string, FileState>()
  for (const entry of readdirSync(at(folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      for (const [below, state] of treeOf(path)) found.set(below, state)
      continue
    }
    const isLink = entry.isSymbolicLink()
    const content = isLink ? Buffer.from(readlinkSync(at(path))) : readFileSync(at(path))
    found.set(path, {
      type: isLink ? "link" : "file",
      bytes: content.length,
      mode: lstatSync(at(path)).mode & 0o7777,
      sha256: sha256Of(content),
    })
  }
  return found
}

function differenceOf(before: Map<string, FileState>, after: Map<string, FileState>): FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths
    .map(path => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
