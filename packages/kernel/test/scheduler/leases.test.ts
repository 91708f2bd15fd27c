import { expect, test } from "vitest"
import { createLeases } from "../../src/scheduler/leases.ts"

test("a fifth waits for one of four leases and gets its turn before a sixth", async () => {
  const leases = createLeases(4)
  const held = await Promise.all([1, 2, 3, 4].map(() => leases.acquire()))
  const turns: string[] = []
  const fifth = leases.acquire().then(lease => {
    turns.push("fifth")
    return lease
  })
  const sixth = leases.acquire().then(lease => {
    turns.push("sixth")
    return lease
  })

  await Promise.resolve()
  expect(turns).toEqual([])
  held[2]?.release()
  held[2]?.release()
  const lease = await fifth
  expect(turns).toEqual(["fifth"])
  lease.release()
  await sixth
  expect(turns).toEqual(["fifth", "sixth"])
})

test("who gives up while waiting leaves the queue", async () => {
  const leases = createLeases(1)
  const held = await leases.acquire()
  const stop = new AbortController()
  const waiting = leases.acquire(stop.signal)
  stop.abort(new Error("no longer wanted"))
  await expect(waiting).rejects.toThrow("no longer wanted")
  held.release()
  expect(await leases.acquire()).toEqual({ release: expect.any(Function) })
})
