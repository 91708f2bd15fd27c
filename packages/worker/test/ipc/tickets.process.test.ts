import { afterAll, beforeAll, expect, test } from "vitest"
import { openWorker, startWorker, type TestWorker } from "../support/worker.ts"

let worker: TestWorker

beforeAll(async () => {
  worker = await openWorker()
})

afterAll(async () => {
  await worker.dispose()
})

const refusedTicket = (id: number | null, action: string, reason: string) => ({
  type: "refused",
  id,
  failure: expect.objectContaining({ code: "ticket_refused", details: { action, reason } }),
})

test("a frame without a ticket, with a forged, a foreign or a used one is refused and not run", async () => {
  const input = { path: "file-1.txt", text: "x", expected: "absent" }
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
  expect((await worker.run("read", { path: "file-1.txt" })).result).toMatchObject({
    error: "not_found",
  })

  worker.send(good)
  await worker.reply(reply => reply.type === "ended" && reply.id === good.id)
  worker.send({ ...good, id: 106 })
  expect(await worker.reply(reply => "id" in reply && reply.id === 106)).toEqual(
    refusedTicket(106, "write", "its ticket was used before"),
  )
})

test("an unknown action, a broken input and a frame that is none are refused", async () => {
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
  const worker = await startWorker()
  worker.send(worker.ticketed("run", "read", { path: "a" }))
  expect(await worker.reply(() => true)).toEqual(
    refusedTicket(1, "run", "there was no hello before it"),
  )
  await worker.dispose()
})
