import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { openWorker, startWorker, type TestWorker, type WorkerOptions } from "../support/worker.ts"

/** For what leaves nothing behind that another test could see. */
let shared: TestWorker

const workers: TestWorker[] = []

beforeAll(async () => {
  shared = await openWorker()
})

afterAll(async () => {
  await shared.dispose()
})

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.dispose()
})

async function open(options?: WorkerOptions): Promise<TestWorker> {
  const worker = await openWorker(options)
  workers.push(worker)
  return worker
}

async function start(options?: WorkerOptions): Promise<TestWorker> {
  const worker = await startWorker(options)
  workers.push(worker)
  return worker
}

test("a hello is answered with what the kind says for the first message", async () => {
  const worker = await start()
  writeFileSync(join(worker.root, "AGENTS.md"), "Be brief.")
  worker.send(worker.hello)
  expect(await worker.reply(() => true)).toEqual({
    type: "ready",
    protocol: 1,
    pid: worker.child.pid,
    guidance: { name: "AGENTS.md", text: "Be brief." },
  })
})

test("another version of the protocol is refused whatever else the hello holds", async () => {
  const worker = await start()
  worker.send({ type: "hello", protocol: 2, module: { name: "probe" }, more: true })
  expect(await worker.reply(() => true)).toEqual({
    type: "failed",
    failure: expect.objectContaining({
      code: "worker_failed",
      details: {
        kind: "probe",
        reason: "it speaks version 1 of the protocol and the controller version 2",
      },
    }),
  })
})

test("containment that is not there is refused, never left out", async () => {
  const worker = await open({ hello: { sandbox: "os" }, env: { PATH: "/no/such/folder" } })
  expect(worker.replies).toEqual([
    {
      type: "failed",
      failure: expect.objectContaining({
        code: "sandbox_unavailable",
        exit: 4,
        details: {
          reason: "bwrap was not found in PATH",
          hint: expect.stringContaining("--sandbox off"),
        },
      }),
    },
  ])
})

test("a kind that cannot be loaded is broken, and a root that is gone fails the start", async () => {
  const url = new URL("missing.ts", import.meta.url).href
  const broken = await open({ hello: { module: { url, name: "x", hosted: {}, linked: true } } })
  expect(broken.replies).toMatchObject([{ type: "failed", failure: { code: "package_broken" } }])
  const gone = await open({ hello: { root: "/no/such/root" } })
  expect(gone.replies).toMatchObject([{ type: "failed", failure: { code: "worker_failed" } }])
})

test("an action runs with its ticket; result, evidence and receipt come back", async () => {
  const worker = shared
  const written = await worker.run("write", {
    path: "file-0.txt",
    text: "hello",
    expected: "absent",
  })
  const sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
  expect(written).toEqual({
    type: "ended",
    id: written.id,
    result: { status: "written", path: "file-0.txt", before: null, sha256, bytes: 5, basis: null },
    evidence: [{ role: "after", sha256, bytes: 5, path: "file-0.txt" }],
    evidence_bytes: 5,
    cancelled: false,
  })
  const ended = await worker.run("run", { shell: "cat file-0.txt; echo; exit 4" })
  expect(ended).toMatchObject({
    result: { preview: "hello\n" },
    evidence_bytes: 6,
    process: { status: "exited", exit_code: 4, output_bytes: 6 },
  })
  const id = ended.process?.output_id ?? ""
  const page = await worker.run("page", { id, offset: 1, limit: 3 })
  expect(page.result).toEqual({ text: "ell", size: 6 })
})

test("a preview may look and not touch, and its basis comes back to the run", async () => {
  const worker = shared
  const input = { path: "file-3.txt", text: "new", expected: "absent" }
  worker.send(worker.ticketed("preview", "write", input))
  const preview = { format: "text", text: "file-3.txt: new" }
  expect(await worker.reply(({ type }) => type === "previewed")).toEqual({
    type: "previewed",
    id: expect.any(Number),
    preview,
    basis: "absent",
  })
  const ended = await worker.run("write", input, { basis: "absent" })
  expect(ended.result).toMatchObject({ status: "written", basis: "absent" })
})

test("an action that declared to read does not get to write", async () => {
  const worker = shared
  expect((await worker.run("sneaky_write", { path: "file-4.txt" })).result).toEqual({
    status: "refused",
    error: "unwritable",
    path: "file-4.txt",
    message: "file-4.txt was not written: this action may only read.",
  })
})

test("a throw ends the action as failed, and denies a preview", async () => {
  const worker = shared
  expect((await worker.run("fail", {})).result).toEqual({ error: "failed", message: "it broke" })
  worker.send(worker.ticketed("preview", "fail", {}, { id: 301 }))
  expect(await worker.reply(reply => "id" in reply && reply.id === 301)).toMatchObject({
    type: "refused",
    failure: { code: "unexpected", details: { reason: "nothing to see" } },
  })
})

test("a result that is no JSON object fails the action and not the worker", async () => {
  const message = async (what: string) => (await shared.run("untyped", { what })).result.message
  expect(await message("bigint")).toMatch(/^its result is not JSON: .*BigInt/)
  expect(await message("nothing")).toBe("its result is not an object")
})

test("a grant that is too small refuses the write before anything changes", async () => {
  const worker = shared
  const input = { path: "file-6.txt", text: "too much", expected: "absent" }
  const ended = await worker.run("write", input, { grant_bytes: 3 })
  expect(ended).toMatchObject({
    result: { status: "refused", error: "evidence_exhausted" },
    evidence: [],
    evidence_bytes: 0,
  })
  expect((await worker.run("read", { path: "file-6.txt" })).result).toMatchObject({
    error: "not_found",
  })
})

test("output streams while a command runs, and all of it has come before its end", async () => {
  const worker = await open()
  const running = worker.run("run", {
    shell: "echo one; sleep 0.4; printf 'zw\\303'; sleep 0.2; printf '\\266lf'",
  })
  await worker.reply(({ type }) => type === "output")
  expect(worker.replies.some(({ type }) => type === "ended")).toBe(false)
  await running
  const texts = worker.replies.flatMap(reply => {
    if (reply.type === "output") return [reply.text]
    return reply.type === "ended" && reply.output !== undefined ? [reply.output] : []
  })
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.join("")).toBe("one\nzwölf")
  expect(worker.replies.at(-1)?.type).toBe("ended")
})

test("actions run side by side and are cancelled by their id", async () => {
  const worker = await open()
  const waiting = worker.run("wait", {})
  await worker.reply(reply => reply.type === "output" && reply.text === "waiting")
  const command = worker.run("run", { shell: "echo up; sleep 600" })
  await worker.reply(reply => reply.type === "output" && reply.text === "up\n")
  expect(await worker.run("run", { shell: "echo beside" })).toMatchObject({ cancelled: false })

  worker.send({ type: "cancel", id: 2 })
  expect(await command).toMatchObject({ cancelled: true, process: { status: "cancelled" } })
  worker.send({ type: "cancel", id: 1 })
  expect(await waiting).toMatchObject({ cancelled: true, result: { waited: true } })
})
