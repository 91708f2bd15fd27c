import { expect, test } from "vitest"
import { readTool } from "../../src/tools/read.ts"
import { knowing } from "../support/known.ts"
import { openProject } from "../support/project.ts"

async function read(
  files: Record<string, string>,
  input: { path: string; offset?: number; limit?: number },
) {
  const project = await openProject(files)
  const planned = readTool.plan(input, knowing({}))
  if ("refused" in planned) throw new Error("read is never refused")
  return readTool.present(input, await project.run(planned.action, planned.input))
}

test("a whole file is shown as numbered lines and nothing else", async () => {
  expect(await read({ a: "one\n\tcode\r\n\nend" }, { path: "a" })).toBe(
    "1\tone\n2\t\tcode\n3\t\n4\tend",
  )
})

test("the mark of a byte order is not shown", async () => {
  expect(await read({ a: "\uFEFFone\n" }, { path: "a" })).toBe("1\tone")
})

test("a part says how to read on", async () => {
  const text = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join("")
  expect(await read({ a: text }, { path: "a", offset: 4, limit: 2 })).toBe(
    "4\tline 4\n5\tline 5\n[To line 5 of 9. Read on with offset 6.]",
  )
})

test("the last lines need no word", async () => {
  expect(await read({ a: "1\n2\n3\n" }, { path: "a", offset: 3 })).toBe("3\t3")
})

test("of more than 2,000 lines or 12,000 bytes the first are shown", async () => {
  const short = await read({ a: "x\n".repeat(3_000) }, { path: "a" })
  expect(short.endsWith("2000\tx\n[To line 2,000 of 3,000. Read on with offset 2001.]")).toBe(true)

  const long = await read({ a: `${"x".repeat(99)}\n`.repeat(200) }, { path: "a" })
  expect(long.endsWith("x\n[To line 120 of 200. Read on with offset 121.]")).toBe(true)
})

test("a line that is too long is cut, said so, and passed over by the next offset", async () => {
  const shown = await read({ a: `${"x".repeat(20_000)}\nnext\n` }, { path: "a" })
  expect(shown).toBe(
    `1\t${"x".repeat(12_000)}\n[To line 1 of 2. Line 1 is cut: it is too long to be shown whole; bash can show the rest, with cut -c. Read on with offset 2.]`,
  )
})

test("an empty file is said to be empty", async () => {
  expect(await read({ a: "" }, { path: "a" })).toBe("[a is empty]")
})

test("an error is shown as data", async () => {
  expect(JSON.parse(await read({ main: "" }, { path: "mian" }))).toEqual({
    error: "not_found",
    path: "mian",
    message: "mian does not exist. Near it: main.",
    near: ["main"],
  })
})

test("in a small window less is shown, and every line is there when it is read on", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`)
  const project = await openProject({ a: `${lines.join("\n")}\n` })
  const room = { limitBytes: 1_000 }
  const shown: string[] = []
  let offset: number | undefined = 1
  while (offset !== undefined) {
    const input = { path: "a", offset }
    const planned = readTool.plan(input, knowing({}), room)
    if ("refused" in planned) throw new Error("read is never refused")
    const text = readTool.present(input, await project.run(planned.action, planned.input), room)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(room.limitBytes)
    shown.push(...text.split("\n").filter(line => line.includes("\t")))
    const next = /Read on with offset (\d+)/.exec(text)?.[1]
    offset = next === undefined ? undefined : Number(next)
  }
  expect(shown).toEqual(lines.map((line, index) => `${index + 1}\t${line}`))
})
