import { EventEmitter } from "node:events"
import { expect, test } from "vitest"
import { watchInterruption } from "../src/interruption.ts"
import { capture } from "./support/capture.ts"

function watched() {
  const signals = new EventEmitter()
  const stdout = capture()
  const interruption = watchInterruption({ signals, stdout })
  const state = () => ({
    first: interruption.first.aborted,
    second: interruption.second.aborted,
    exit: interruption.exit(),
  })
  return { signals, stdout, interruption, state }
}

test("the first signal names the exit code, the second one ends the waiting", () => {
  const { signals, state } = watched()
  expect(state()).toEqual({ first: false, second: false, exit: undefined })

  signals.emit("SIGTERM")
  expect(state()).toEqual({ first: true, second: false, exit: 143 })

  signals.emit("SIGINT")
  expect(state()).toEqual({ first: true, second: true, exit: 143 })
})

test("a reader that went away interrupts, and a signal after it is still the first", () => {
  const { signals, stdout, state } = watched()
  stdout.close()
  expect(state()).toEqual({ first: true, second: false, exit: undefined })

  signals.emit("SIGHUP")
  expect(state()).toEqual({ first: true, second: false, exit: 129 })
})

test("after stop the signals are the process's own again", () => {
  const { signals, interruption } = watched()
  interruption.stop()
  expect(signals.eventNames()).toEqual([])
})
