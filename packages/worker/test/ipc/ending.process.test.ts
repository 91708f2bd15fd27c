import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, expect, test } from "vitest"
import { tagged, until } from "../support/pool.ts"
import { openWorker, type TestWorker, type WorkerOptions } from "../support/worker.ts"

const workers: TestWorker[] = []

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.dispose()
})

async function open(options?: WorkerOptions): Promise<TestWorker> {
  const worker = await openWorker(options)
  workers.push(worker)
  return worker
}

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

test("after kill -9 of the controller nothing of the conversation is left, the worker included", async () => {
  const script = fileURLToPath(new URL("../fixtures/controller.ts", import.meta.url))
  const controller = spawn(process.execPath, ["--conditions=@harness/source", script], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(controller.stdout, "data")
  const { tag, pid, folder, root } = JSON.parse(String(line))
  await until(() => tagged(tag).length >= 2)
  controller.kill("SIGKILL")
  await until(() => tagged(tag).length === 0 && !existsSync(`/proc/${pid}`))
  for (const path of [folder, root]) rmSync(path, { recursive: true })
})

test("a key in the worker's own environment does not reach a command", async () => {
  const env = { OPENAI_API_KEY: "sk-secret", TMPDIR: "/elsewhere" }
  const worker = await open({ env, hello: { environment: { CI: "1" } } })
  const pid = worker.child.pid
  expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain("sk-secret")
  const { result } = await worker.run("run", { argv: ["env"], env: { MORE: "2" } })
  const lines = String(result.preview).trimEnd().split("\n")
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
