import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ProcessReceipt } from "@harness/protocol"
import { expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const serve = (command: string): [string, { command: string; ready: string }] => [
  "serve",
  { command: `echo up; ${command}`, ready: "up" },
]
const sleeping = serve("sleep 600")

test("what runs on survives the turn, and its own end is on record when it comes", async () => {
  const command = "until [ -e go ]; do sleep 0.02; done; echo done; exit 4"
  const kernel = startKernel([
    calls(1, serve(command)),
    says("It is up."),
    calls(2, ["call", { command: "touch go" }]),
    says("It goes."),
  ])
  const conversation = await kernel.open()
  await kernel.send(conversation, "Serve")
  const [started] = ofType(kernel.events, "action_ended")
  expect(started?.receipt).toMatchObject({
    status: "ok",
    evidence_bytes: 0,
    process: { status: "running", exit_code: null },
  })
  expect(ofType(kernel.events, "process_ended")).toEqual([])

  await kernel.send(conversation, "Go")
  await expect.poll(() => ofType(kernel.events, "process_ended").length).toBe(1)
  expect(ofType(kernel.events, "process_ended")).toMatchObject([
    {
      action_id: started?.action_id,
      evidence_bytes: 8,
      process: {
        id: started?.receipt.process?.id,
        status: "exited",
        exit_code: 4,
        output_bytes: 8,
      },
    },
  ])
})

test("the close ends what runs on, and its receipts are on record and on the disk before it", async () => {
  const kernel = startKernel([calls(1, sleeping, sleeping), says("Both are up.")])
  const conversation = await kernel.open()
  await kernel.send(conversation, "Serve twice")
  await kernel.kernel.dispatch({ type: "close", conversation })

  expect(kernel.events.slice(-3).map(({ type }) => type)).toEqual([
    "process_ended",
    "process_ended",
    "conversation_closed",
  ])
  const ended = ofType(kernel.events, "process_ended").map(({ process }) => process)
  expect(ended.map(({ status }) => status)).toEqual(["session_closed", "session_closed"])
  expect(ended).toEqual(ended.map(({ id }) => keptReceipt(kernel, id)))
})

test("an interrupt leaves it running, and ends one that is not ready yet", async () => {
  const waiting: typeof sleeping = ["serve", { command: "echo slow; sleep 600", ready: "up" }]
  const kernel = startKernel([calls(1, sleeping), calls(2, waiting)])
  const conversation = await kernel.open()
  const turn = kernel.send(conversation, "Serve")
  await expect.poll(() => outputOf(kernel)).toBe("up\nslow\n")
  await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "SIGINT" })
  await turn

  const processes = ofType(kernel.events, "action_ended").map(({ receipt }) => receipt.process)
  expect(processes).toMatchObject([{ status: "running" }, { status: "cancelled" }])
  expect(ofType(kernel.events, "process_ended")).toEqual([])
})

test("when the worker is lost every process is ended and has a receipt that says so", async () => {
  const command = "echo begun; kill -9 $PPID; sleep 600"
  const kernel = startKernel([calls(1, sleeping), calls(2, ["call", { command }]), says("Lost.")])
  await kernel.send(await kernel.open(), "Serve, and kill the worker")

  const [, lost] = ofType(kernel.events, "action_ended")
  expect(lost).toMatchObject({
    result: { error: "worker_lost", status: "session_closed" },
    receipt: { status: "error", process: { status: "session_closed", reason: "worker_lost" } },
  })
  await expect.poll(() => ofType(kernel.events, "process_ended").length).toBe(1)
  const [ended] = ofType(kernel.events, "process_ended")
  expect(ended?.process).toMatchObject({
    status: "session_closed",
    reason: "worker_lost",
    output_bytes: 3,
  })
  for (const process of [lost?.receipt.process, ended?.process]) {
    expect(process).toEqual(keptReceipt(kernel, process?.id ?? ""))
  }
})

test("sixteen run on, the seventeenth is refused as data, and there is evidence left for others", async () => {
  const many = Array.from({ length: 17 }, () => sleeping)
  const kernel = startKernel([
    calls(1, ...many),
    calls(2, ["note", { path: "b.txt", text: "written" }]),
    calls(3, ["end", {}], sleeping),
    says("Sixteen."),
  ])
  const answer = await kernel.send(await kernel.open(), "Serve")
  expect(answer.ending).toEqual({ status: "answered" })

  const ended = ofType(kernel.events, "action_ended")
  const outcomes = ended.map(({ receipt }) => receipt.process?.status ?? receipt.status)
  expect(outcomes).toEqual([...Array(16).fill("running"), "not_started", "ok", "ok", "running"])
  expect(ended[16]?.result).toMatchObject({ error: "too_many_processes" })
  expect(kernel.read("b.txt")).toBe("written")
})

function keptReceipt({ home }: TestKernel, id: string): ProcessReceipt {
  const names = readdirSync(join(home, "projects"), { recursive: true, encoding: "utf8" })
  const name = names.find(each => each.endsWith(join(id, "receipt.json"))) ?? ""
  const text = readFileSync(join(home, "projects", name), "utf8")
  return ProcessReceipt.parse(JSON.parse(text))
}

function outputOf({ events }: TestKernel): string {
  return events.map(event => (event.type === "action_output" ? event.text : "")).join("")
}
