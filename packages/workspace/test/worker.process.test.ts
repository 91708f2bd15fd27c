import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openProjectWorker } from "./support/worker.ts"

test("in a worker of its own every action does its work and leaves its evidence", async () => {
  const worker = await openProjectWorker()
  const written = await worker.run("write_file", { path: "src/a.ts", text: "one\n" })
  expect(written.evidence.map(({ role, path }) => ({ role, path }))).toEqual([
    { role: "after", path: "src/a.ts" },
  ])

  const read = await worker.run("read_file", { path: "src/a.ts" })
  expect(read.result).toMatchObject({ text: "one\n" })

  const expected = `${read.result.sha256}`
  const edit = { path: "src/a.ts", old_text: "one", new_text: "two", expected }
  const edited = await worker.run("edit_file", edit)
  expect(edited.evidence.map(({ role }) => role)).toEqual(["before", "after"])

  const ran = await worker.run("run_command", { command: "cat src/a.ts; exit 2" })
  expect(ran.result).toMatchObject({ exit_code: 2, output: "two\n" })
  expect(ran.process).toMatchObject({ status: "exited", exit_code: 2 })

  const listed = await worker.run("list_files", {}, { grant_bytes: 0 })
  expect(listed.result).toEqual({ files: ["src/a.ts"], truncated: false })

  const found = await worker.run("search_files", { pattern: "t.o" })
  expect(found.result).toEqual({
    matches: [{ path: "src/a.ts", line: 1, text: "two" }],
    truncated: false,
  })
  expect([listed.process, found.process]).toEqual([undefined, undefined])
  expect([listed.evidence_bytes, found.evidence_bytes]).toEqual([0, 0])
  expect(await readdir(join(worker.artifacts, "scratch"))).toEqual([])
})

test("a preview in a worker is a diff, and what changed after it is a conflict", async () => {
  const worker = await openProjectWorker()
  await writeFile(join(worker.root, "a.txt"), "one\n")
  const input = { path: "a.txt", old_text: "one", new_text: "two" }

  const frame = worker.ticketed("preview", "edit_file", input)
  worker.send(frame)
  const reply = await worker.reply(each => "id" in each && each.id === frame.id)
  if (reply.type !== "previewed") throw new Error(`no preview: ${JSON.stringify(reply)}`)
  expect(reply.preview).toEqual({
    format: "diff",
    text: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n",
  })

  await writeFile(join(worker.root, "a.txt"), "one\ntwo\n")
  const ended = await worker.run("edit_file", input, { basis: reply.basis })
  expect(ended.result).toMatchObject({ error: "conflict" })
})

test("a command that is cancelled ends with the status cancelled", async () => {
  const worker = await openProjectWorker()
  const frame = worker.ticketed("run", "run_command", { command: "echo started; sleep 60" })
  worker.send(frame)
  await worker.reply(each => each.type === "output" && each.text.includes("started"))
  worker.send({ type: "cancel", id: Number(frame.id) })

  const ended = await worker.reply(each => each.type === "ended" && each.id === frame.id)
  expect(ended).toMatchObject({ cancelled: true, result: { status: "cancelled", exit_code: null } })
})
