import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, expect, test } from "vitest"
import { tagged, until } from "../support/pool.ts"
import { openWorker, startWorker, type TestWorker, type WorkerOptions } from "../support/worker.ts"

const workers: TestWorker[] = []

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

const refusedTicket = (id: number | null, action: string, reason: string) => ({
  type: "refused",
  id,
  failure: expect.objectContaining({ code: "ticket_refused", details: { action, reason } }),
})

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
  const worker = await open({ hello: { sandbox: "os" } })
  expect(worker.replies).toEqual([
    { type: "failed", failure: expect.objectContaining({ code: "sandbox_unavailable", exit: 4 }) },
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
  const worker = await open()
  const written = await worker.run("write", { path: "a.txt", text: "hello", expected: "absent" })
  const sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
  expect(written).toEqual({
    type: "ended",
    id: 1,
    result: { status: "written", path: "a.txt", before: null, sha256, bytes: 5, basis: null },
    evidence: [{ role: "after", sha256, bytes: 5, path: "a.txt" }],
    evidence_bytes: 5,
    cancelled: false,
  })
  const ended = await worker.run("run", { shell: "cat a.txt; echo; exit 4" })
  expect(ended).toMatchObject({
    result: { preview: "hello\n" },
    evidence_bytes: 6,
    process: { status: "exited", exit_code: 4, output_bytes: 6 },
  })
  const id = ended.process?.output_id ?? ""
  const page = await worker.run("page", { id, offset: 1, limit: 3 })
  expect(page.result).toEqual({ text: "ell", size: 6 })
})

test("a frame without a ticket, with a forged, a foreign or a used one is refused and not run", async () => {
  const worker = await open()
  const input = { path: "a.txt", text: "x", expected: "absent" }
  const good = worker.ticketed("run", "write", input)
  const forged = { action_id: "a1", mac: "0".repeat(64) }
  const previewTicket = worker.ticketed("preview", "write", input).ticket ?? null
  const notTheScheduler = "its ticket is not the scheduler's"
  const { ticket: _ticket, ...bare } = good

  const refusals: [object, object][] = [
    [{ ...bare, id: 101 }, refusedTicket(101, "run", expect.stringContaining("ticket"))],
    [{ ...good, id: 102, ticket: forged }, refusedTicket(102, "write", notTheScheduler)],
    [{ ...good, id: 103, action: "run" }, refusedTicket(103, "run", notTheScheduler)],
    [
      { ...good, id: 104, input: { ...input, text: "y" } },
      refusedTicket(104, "write", notTheScheduler),
    ],
    [{ ...good, id: 105, ticket: previewTicket }, refusedTicket(105, "write", notTheScheduler)],
  ]
  for (const [frame, refusal] of refusals) {
    worker.child.send(frame)
    const { id } = Object(refusal)
    expect(await worker.reply(reply => "id" in reply && reply.id === id)).toEqual(refusal)
  }
  expect((await worker.run("read", { path: "a.txt" })).result).toMatchObject({ error: "not_found" })

  worker.send(good)
  await worker.reply(({ type }) => type === "ended")
  worker.send({ ...good, id: 106 })
  expect(await worker.reply(reply => "id" in reply && reply.id === 106)).toEqual(
    refusedTicket(106, "write", "its ticket was used before"),
  )
})

test("an unknown action, a broken input and a frame that is none are refused", async () => {
  const worker = await open()
  const answer = async (frame: object, id: number | null) => {
    worker.child.send(frame)
    return await worker.reply(reply => reply.type === "refused" && reply.id === id)
  }
  expect(await answer(worker.ticketed("run", "fly", {}, { id: 201 }), 201)).toMatchObject({
    failure: { code: "action_unknown", details: { kind: "probe", action: "fly" } },
  })
  expect(await answer(worker.ticketed("run", "read", { path: 3 }, { id: 202 }), 202)).toMatchObject(
    { failure: { code: "ticket_refused", details: { reason: expect.stringContaining("path") } } },
  )
  expect(await answer({ type: "nonsense" }, null)).toMatchObject({
    failure: { code: "ticket_refused", details: { action: "nonsense" } },
  })
  expect(await answer({ ...worker.hello, id: 203 }, 203)).toMatchObject({ type: "refused" })
})

test("a frame before the hello is refused", async () => {
  const worker = await start()
  worker.send(worker.ticketed("run", "read", { path: "a" }))
  expect(await worker.reply(() => true)).toEqual(
    refusedTicket(1, "run", "there was no hello before it"),
  )
})

test("a preview may look and not touch, and its basis comes back to the run", async () => {
  const worker = await open()
  const input = { path: "a.txt", text: "new", expected: "absent" }
  worker.send(worker.ticketed("preview", "write", input))
  const preview = { format: "text", text: "a.txt: new" }
  expect(await worker.reply(({ type }) => type === "previewed")).toEqual({
    type: "previewed",
    id: 1,
    preview,
    basis: "absent",
  })
  const ended = await worker.run("write", input, { basis: "absent" })
  expect(ended.result).toMatchObject({ status: "written", basis: "absent" })
})

test("an action that declared to read does not get to write", async () => {
  const worker = await open()
  expect((await worker.run("sneaky_write", { path: "a.txt" })).result).toEqual({
    status: "refused",
    error: "unwritable",
    path: "a.txt",
    message: "a.txt was not written: this action may only read.",
  })
})

test("a throw ends the action as failed, and denies a preview", async () => {
  const worker = await open()
  expect((await worker.run("fail", {})).result).toEqual({ error: "failed", message: "it broke" })
  worker.send(worker.ticketed("preview", "fail", {}, { id: 301 }))
  expect(await worker.reply(reply => "id" in reply && reply.id === 301)).toMatchObject({
    type: "refused",
    failure: { code: "unexpected", details: { reason: "nothing to see" } },
  })
})

test("a grant that is too small refuses the write before anything changes", async () => {
  const worker = await open()
  const input = { path: "a.txt", text: "too much", expected: "absent" }
  const ended = await worker.run("write", input, { grant_bytes: 3 })
  expect(ended).toMatchObject({
    result: { status: "refused", error: "evidence_exhausted" },
    evidence: [],
    evidence_bytes: 0,
  })
  expect((await worker.run("read", { path: "a.txt" })).result).toMatchObject({ error: "not_found" })
})

test("output streams while a command runs, and all of it has come before its end", async () => {
  const worker = await open()
  const running = worker.run("run", {
    shell: "echo one; sleep 0.4; printf 'zw\\303'; sleep 0.2; printf '\\266lf'",
  })
  await worker.reply(({ type }) => type === "output")
  expect(worker.replies.some(({ type }) => type === "ended")).toBe(false)
  await running
  const texts = worker.replies.flatMap(reply => (reply.type === "output" ? [reply.text] : []))
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

test("close ends what runs, tells the receipts, and the worker exits with 0", async () => {
  const worker = await open()
  void worker.run("run", { shell: "echo up; (setsid sleep 600 &); sleep 600" })
  await worker.reply(({ type }) => type === "output")
  const exited = once(worker.child, "exit")
  worker.send({ type: "close" })
  expect(await worker.reply(({ type }) => type === "closed")).toMatchObject({
    receipts: [{ status: "session_closed", signal: "SIGTERM" }],
  })
  expect(await exited).toEqual([0, null])
  expect(tagged(worker.tag)).toEqual([])
})

test.each(["disconnect", "SIGTERM", "SIGKILL"])(
  "after %s nothing of the conversation is left",
  async way => {
    const worker = await open({ limits: { grace_seconds: 0.5 } })
    const shell = `
      trap '' TERM
      setsid sleep 600 &
      (setsid sh -c 'sleep 600 & sleep 600' &)
      nohup sleep 600 >/dev/null 2>&1 &
      echo up
      while :; do sleep 0.05; done`
    worker.send(worker.ticketed("run", "run", { shell }))
    await worker.reply(({ type }) => type === "output")
    await until(() => tagged(worker.tag).length >= 6)

    const exited = once(worker.child, "exit")
    if (way === "disconnect") worker.child.disconnect()
    else process.kill(worker.child.pid ?? 0, way)
    await exited
    await until(() => tagged(worker.tag).length === 0)
  },
)

test("a key in the worker's own environment does not reach a command", async () => {
  const env = { OPENAI_API_KEY: "sk-secret", TMPDIR: "/elsewhere" }
  const worker = await open({ env, hello: { environment: { CI: "1" } } })
  const pid = worker.child.pid
  expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain("sk-secret")
  const { result } = await worker.run("run", { argv: ["env"], env: { MORE: "2" } })
  const lines = String(result["preview"]).trimEnd().split("\n")
  expect(lines).toEqual(
    expect.arrayContaining([
      "CI=1",
      "MORE=2",
      `HARNESS_SESSION=${worker.tag}`,
      `TMPDIR=${join(worker.folder, "temp")}`,
    ]),
  )
  expect(lines.join("\n")).not.toMatch(/sk-secret|NODE_|OPENAI/)
})

test("descriptors that the worker inherited do not reach a command", async () => {
  const script = fileURLToPath(new URL("../fixtures/inherit.ts", import.meta.url))
  const command = `exec 7</etc/hostname 41</etc/hostname; exec "$0" "$@"`
  const args = ["-c", command, process.execPath, "--conditions=@harness/source", script]
  const child = spawn("/bin/bash", args, { stdio: ["ignore", "pipe", "inherit"] })
  const chunks: Buffer[] = []
  child.stdout.on("data", chunk => chunks.push(chunk))
  await once(child, "close")
  const found = JSON.parse(Buffer.concat(chunks).toString())
  expect(found).toEqual({ control: expect.arrayContaining(["41"]), command: ["0", "1", "2"] })
})
