import { hash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

/** What happens to one file, in this order. Null: it is not there, or is removed. */
const history = fc.record({
  before: fc.option(fc.constantFrom("a\n", "b\n", "")),
  /** By an action or a command; a removal is a command's. */
  changes: fc.array(
    fc.record({
      by: fc.constantFrom("action", "command"),
      to: fc.option(fc.constantFrom("a\n", "b\n", "c\n"), { freq: 4 }),
    }),
    { maxLength: 3 },
  ),
  /** By hand, after the conversation; undefined: nothing. */
  byHand: fc.option(fc.option(fc.constantFrom("a\n", "b\n", "d\n")), { nil: undefined, freq: 2 }),
})

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

const fileOf = (index: number) => `f${index}.txt`

/** The calls that make a file's changes, in which each knows what is there. */
function callsOf({ before, changes }: History, path: string): [tool: string, input: object][] {
  let now: string | null = before
  return changes.flatMap(({ by, to }): [string, object][] => {
    const was = now
    now = to
    if (to === null) return [["call", { command: `rm -f ${path}` }]]
    if (by === "command") return [["call", { command: `printf '${to.trim()}\\n' > ${path}` }]]
    const expected = was === null ? "absent" : hash("sha256", was)
    return [["note", { path, text: to, expected }]]
  })
}

test("whatever happened to many files, an undo brings back each that nobody touched since and leaves the others", async () => {
  const histories = fc.sample(history, { numRuns: 60, seed: 20_260_102 })
  const steps = histories.flatMap((each, index) => callsOf(each, fileOf(index)))
  const files = histories.flatMap(({ before }, index) =>
    before === null ? [] : [[fileOf(index), before] as const],
  )
  const kernel = startKernel([calls(1, ...steps), says("Done.")], {
    files: Object.fromEntries(files),
  })
  const conversation = await kernel.open()
  await kernel.send(conversation, "Go")
  await kernel.kernel.dispatch({ type: "close", conversation })

  const read = (index: number) => {
    const file = join(kernel.root, fileOf(index))
    return existsSync(file) ? readFileSync(file, "utf8") : null
  }
  const left = histories.map((_history, index) => read(index))
  for (const [index, { byHand }] of histories.entries()) {
    const file = join(kernel.root, fileOf(index))
    if (byHand === null) rmSync(file, { force: true })
    else if (byHand !== undefined) writeFileSync(file, byHand)
  }
  const found = histories.map((_history, index) => read(index))

  const plan = { type: "undo" as const, conversation }
  const shown = await kernel.kernel.dispatch({ ...plan, shown_seq: null })
  const shown_seq = shown.type === "undo" ? shown.seq : -1
  const done = await kernel.kernel.dispatch({ ...plan, shown_seq })

  expect(histories.map((_history, index) => read(index))).toEqual(
    histories.map(({ before }, index) => (found[index] === left[index] ? before : found[index])),
  )
  const conflicts =
    done.type === "undo" ? done.files.filter(each => each.status === "conflict") : []
  expect(conflicts.map(({ path }) => path)).toEqual(
    histories
      .flatMap(({ before }, index) => {
        const touched = found[index] !== left[index] && found[index] !== before
        return touched && left[index] !== before ? [fileOf(index)] : []
      })
      .toSorted(),
  )
  expect(conflicts.length).toBeGreaterThan(5)
})
