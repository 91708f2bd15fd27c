import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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

test("a worker that contains commands says so when it is ready, and in each receipt", async () => {
  const worker = await open({ hello: { sandbox: "os", network: false } })
  expect(worker.replies).toMatchObject([{ type: "ready" }])
  const { process } = await worker.run("run", { shell: "echo contained > file; cat file" })
  expect(process).toMatchObject({
    status: "exited",
    exit_code: 0,
    output_bytes: 10,
    containment: { sandbox: "bubblewrap", network: false },
  })
})

test("in a root that is the home folder, what the lists hide and HARNESS_HOME are out of a command's reach", async () => {
  const worker = await startWorker()
  workers.push(worker)
  const home = join(worker.folder, "user")
  for (const path of ["notes", ".ssh", ".harness-home"])
    mkdirSync(join(home, path), { recursive: true })
  writeFileSync(join(home, "notes", "secret"), "hidden")
  writeFileSync(join(home, ".ssh", "id_ed25519"), "hidden")
  writeFileSync(join(home, ".harness-home", "log"), "hidden")
  writeFileSync(join(home, "seen"), "seen\n")
  const contained = await open({
    env: { HOME: home },
    hello: {
      ...{ sandbox: "os", network: false, root: home, home: join(home, ".harness-home") },
      containment: { hide: ["~/notes", "/no/such/place"], unix_sockets: false, debuggers: false },
    },
  })

  const shell = "cat seen notes/secret .ssh/id_ed25519; ls -A notes .ssh .harness-home"
  const { result } = await contained.run("run", { shell })
  expect(String(result.preview).split("\n")).toEqual([
    "seen",
    "cat: notes/secret: No such file or directory",
    "cat: .ssh/id_ed25519: No such file or directory",
    ".harness-home:",
    "",
    ".ssh:",
    "",
    "notes:",
    "",
  ])
})

test.each([
  [false, 1],
  [true, 0],
])(
  "with unix_sockets %s a server on a unix socket of its own ends with %i",
  async (allowed, code) => {
    const worker = await open({
      hello: {
        ...{ sandbox: "os", network: false },
        containment: { hide: [], unix_sockets: allowed, debuggers: false },
      },
    })
    const source =
      "require('net').createServer().listen(process.env.TMPDIR + '/a.sock', () => process.exit(0))"
    const { process: receipt } = await worker.run("run", {
      argv: [process.execPath, "-e", source],
    })
    expect(receipt).toMatchObject({ status: "exited", exit_code: code })
    const { hint } = receipt?.containment ?? {}
    if (allowed) expect(hint).toBeUndefined()
    else expect(hint).toContain("containment.unix_sockets")
  },
)

test("nothing of a command is left when its worker and the reaper are killed at once", async () => {
  const worker = await open({ hello: { sandbox: "os", network: false } })
  const shell = "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 600' &); echo up; sleep 600"
  worker.send(worker.ticketed("run", "run", { shell }))
  await worker.reply(({ type }) => type === "output")
  const { pid = 0 } = worker.child
  const reaper = reaperOf(pid)
  expect(tagged(worker.tag).length).toBeGreaterThanOrEqual(5)

  const exited = once(worker.child, "exit")
  process.kill(pid, "SIGKILL")
  process.kill(reaper, "SIGKILL")
  await exited
  await until(() => tagged(worker.tag).length === 0)
  expect(readdirSync(worker.root)).toEqual([])
})

test("a sandbox that waits for a command ends with its worker, also without the reaper", async () => {
  const worker = await open({ hello: { sandbox: "os", network: false } })
  await worker.run("run", { shell: "true" })
  await until(() => tagged(worker.tag).length > 0)
  const { pid = 0 } = worker.child
  const reaper = reaperOf(pid)

  const exited = once(worker.child, "exit")
  process.kill(pid, "SIGKILL")
  process.kill(reaper, "SIGKILL")
  await exited
  await until(() => tagged(worker.tag).length === 0)
  expect(readdirSync(worker.root)).toEqual([])
})

/** The worker's child that is no command: it carries no tag. */
function reaperOf(worker: number): number {
  const children = readFileSync(`/proc/${worker}/task/${worker}/children`, "utf8").trim().split(" ")
  const found = children.find(id =>
    readFileSync(`/proc/${id}/cmdline`, "latin1").includes("harness-reaper"),
  )
  return Number(found)
}
