import fc from "fast-check"
import { expect, test } from "vitest"
import { inOrder, type Work } from "../../src/scheduler/order.ts"

test("neighbours that only read run side by side, and nothing runs beside a change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 12 }), async kinds => {
      const running = new Set<number>()
      const started: number[] = []
      const overlaps: [number, number][] = []
      const work: Work<number>[] = kinds.map((parallel, id) => ({
        parallel,
        async run() {
          for (const other of running) overlaps.push([other, id])
          running.add(id)
          started.push(id)
          await Promise.resolve()
          running.delete(id)
          return id
        },
      }))

      expect(await inOrder(work)).toEqual(kinds.map((_, id) => id))
      expect(started).toEqual(kinds.map((_, id) => id))
      for (const [one, other] of overlaps) {
        expect(kinds.slice(one, other + 1).every(parallel => parallel)).toBe(true)
      }
    }),
  )
})

test("two reads overlap", async () => {
  const first = Promise.withResolvers<void>()
  const results = await inOrder([
    { parallel: true, run: async () => first.promise.then(() => "first") },
    {
      parallel: true,
      run: async () => {
        first.resolve()
        return "second"
      },
    },
  ])
  expect(results).toEqual(["first", "second"])
})
