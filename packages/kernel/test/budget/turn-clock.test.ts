import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { createTurnClock } from "../../src/budget/turn-clock.ts"

function clockAt(startMs: number) {
  const time = { ms: startMs }
  return { time, clock: createTurnClock(() => time.ms) }
}

const never = new AbortController().signal

test("a turn's time begins at its start and stands still while a person is waited for", () => {
  const { time, clock } = clockAt(1_000)
  time.ms = 5_000
  const turn = clock.start(never, { seconds: null, reason: () => "over" })
  time.ms = 5_300
  clock.pause()
  clock.pause()
  time.ms = 9_000
  clock.resume()
  time.ms = 9_500
  expect(clock.elapsedMs()).toBe(300)
  clock.resume()
  time.ms = 9_600
  expect(clock.elapsedMs()).toBe(400)
  turn.stop()
})

test("without a limit the turn's signal is the caller's", () => {
  const { signal } = clockAt(0).clock.start(never, { seconds: null, reason: () => "over" })
  expect(signal).toBe(never)
})

test("at the limit the signal is aborted with the reason, even while something runs", async () => {
  const clock = createTurnClock(() => performance.now())
  const turn = clock.start(never, { seconds: 0.02, reason: () => "over" })
  await expect.poll(() => turn.signal.aborted).toBe(true)
  expect(turn.signal.reason).toBe("over")
  expect(clock.elapsedMs()).toBeGreaterThanOrEqual(20)
  turn.stop()
})

test("the time of a person does not bring the limit nearer, and the rest of it counts after", async () => {
  const clock = createTurnClock(() => performance.now())
  const turn = clock.start(never, { seconds: 0.05, reason: () => "over" })
  clock.pause()
  await sleep(120)
  expect(turn.signal.aborted).toBe(false)
  clock.resume()
  await expect.poll(() => turn.signal.aborted).toBe(true)
  turn.stop()
})

test("an interrupt before the limit is what the signal says, and a turn that is over is not ended", async () => {
  const clock = createTurnClock(() => performance.now())
  const stop = new AbortController()
  const turn = clock.start(stop.signal, { seconds: 0.02, reason: () => "over" })
  stop.abort("SIGINT")
  expect(turn.signal.reason).toBe("SIGINT")

  const ended = clock.start(never, { seconds: 0.02, reason: () => "over" })
  ended.stop()
  await sleep(60)
  expect(ended.signal.aborted).toBe(false)
})
