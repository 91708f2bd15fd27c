import { expect, test } from "vitest"
import { startKernel } from "../support/kernel.ts"
import { says } from "../support/script.ts"

test("the fifth conversation waits for a worker, and gets its turn when one is closed", async () => {
  const kernel = startKernel([says("Here.")])
  const open = [await kernel.open(), await kernel.open(), await kernel.open(), await kernel.open()]

  let fifth: string | undefined
  const waiting = kernel.open().then(conversation => {
    fifth = conversation
    return conversation
  })
  for (const conversation of open) {
    expect((await kernel.send(conversation, "There?")).answer).toBe("Here.")
  }
  expect(fifth).toBeUndefined()

  await kernel.kernel.dispatch({ type: "close", conversation: open[2] ?? "" })
  expect((await kernel.send(await waiting, "There?")).answer).toBe("Here.")
})
