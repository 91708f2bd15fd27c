import fc from "fast-check"
import { expect, test } from "vitest"
import { createOverhead } from "../../src/loop/overhead.ts"

function clockwork() {
  let nowMs = 1_000
  const overhead = createOverhead(() => nowMs)
  const pass = (ms: number) => {
    nowMs += ms
  }
  const waited = (ms: number) => overhead.without(async () => pass(ms))
  return { overhead, pass, waited }
}

test("what is waited for is not harness's own time, and a lap begins where the last one ended", async () => {
  const { overhead, pass, waited } = clockwork()

  pass(2)
  await waited(100)
  pass(0.5)
  expect(overhead.lap()).toBe(2.5)
  await waited(100)
  expect(overhead.lap()).toBe(0)
})

test("waits that overlap are one: harness works again when the last of them has ended", async () => {
  const { overhead, pass } = clockwork()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = overhead.without(() => first.promise)
  pass(10)
  const two = overhead.without(() => second.promise)
  pass(10)
  first.resolve()
  await one
  pass(10)
  second.resolve()
  await two
  pass(1)

  expect(overhead.lap()).toBe(1)
})

test("a program's call is harness's own time, but for what the call waits for", async () => {
  const { overhead, pass, waited } = clockwork()

  await overhead.without(async back => {
    pass(50)
    const call = async () => {
      pass(1)
      await waited(20)
      pass(2)
    }
    await back(call)
    pass(50)
    await Promise.all([back(call), back(call)])
    pass(50)
  })

  // Of two calls side by side each works while the other one is not waited for.
  expect(overhead.lap()).toBeGreaterThanOrEqual(3 + 3)
  expect(overhead.lap()).toBe(0)
})

test("a program that ends in the middle of its call leaves no wait behind", async () => {
  const { overhead, pass } = clockwork()
  const call = Promise.withResolvers<void>()
  let answered: Promise<void> | undefined

  await overhead.without(async back => {
    answered = back(() => call.promise)
    pass(5)
  })
  call.resolve()
  await answered
  pass(1)

  expect(overhead.lap()).toBe(6)
})

test("a wait that throws has ended, and what it threw is thrown", async () => {
  const { overhead, pass } = clockwork()
  const failing = overhead.without(async () => {
    pass(10)
    throw new Error("lost")
  })
  await expect(failing).rejects.toThrow("lost")
  pass(1)
  expect(overhead.lap()).toBe(1)
})

test("laps and waits add up to the time that passed, whatever follows what", async () => {
  const part = fc.record({
    does: fc.constantFrom("work" as const, "wait" as const, "lap" as const),
    ms: fc.double({ min: 0, max: 1_000, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(part), async parts => {
      const { overhead, pass, waited } = clockwork()
      let worked = 0
      let laps = 0
      for (const { does, ms } of parts) {
        if (does === "lap") laps += overhead.lap()
        else if (does === "wait") await waited(ms)
        else {
          pass(ms)
          worked += ms
        }
      }
      laps += overhead.lap()
      expect(Math.abs(laps - worked)).toBeLessThan(0.06)
    }),
  )
})
