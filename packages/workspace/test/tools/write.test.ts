import { expect, test } from "vitest"
import { writeTool } from "../../src/tools/write.ts"
import { knowing } from "../support/known.ts"
import { openProject } from "../support/project.ts"

const sha = "0".repeat(64)

test("a write carries the hash of the last read, whatever the spelling of the path", () => {
  expect(writeTool.plan({ path: "./src//a.ts", text: "x" }, knowing({ "src/a.ts": sha }))).toEqual({
    action: "write_file",
    input: { path: "./src//a.ts", text: "x", expected: sha },
  })
})

test.each([knowing({}), knowing({ "a.ts": "absent" })])(
  "a file that was never seen, or seen to be absent, is to be created",
  known => {
    expect(writeTool.plan({ path: "a.ts", text: "x" }, known)).toEqual({
      action: "write_file",
      input: { path: "a.ts", text: "x", expected: null },
    })
  },
)

test("a write to an existing file that was not read is refused as data", async () => {
  const project = await openProject({ "a.ts": "theirs" })
  const input = { path: "a.ts", text: "mine" }
  const planned = writeTool.plan(input, knowing({}))
  if ("refused" in planned) throw new Error("the action refuses it, not the plan")

  const result = await project.run(planned.action, planned.input)
  expect(JSON.parse(writeTool.present(input, result))).toEqual({
    error: "conflict",
    path: "a.ts",
    message:
      "a.ts exists and you have not read it; nothing was changed. Read it first, then try again.",
  })
  expect(project.bytes("a.ts").toString()).toBe("theirs")
})

test("a file that changed since it was read is left alone", () => {
  const conflict = { error: "conflict", path: "a.ts", expected: sha, found: "1".repeat(64) }
  expect(JSON.parse(writeTool.present({ path: "a.ts", text: "" }, conflict))).toMatchObject({
    message: "a.ts changed since you read it; nothing was changed. Read it first, then try again.",
  })
  expect(
    JSON.parse(writeTool.present({ path: "a.ts", text: "" }, { ...conflict, found: null })),
  ).toMatchObject({
    message: "a.ts does not exist any more; nothing was changed. Write it to create it anew.",
  })
})

test("what was written is one line", () => {
  const input = { path: "./a.ts", text: "" }
  const written = { path: "a.ts", sha256: sha, bytes: 12_000, before: null }
  expect(writeTool.present(input, { ...written, created: true })).toBe(
    "created a.ts (12,000 bytes)",
  )
  expect(writeTool.present(input, { ...written, created: false })).toBe(
    "replaced a.ts (12,000 bytes)",
  )
})

test("a denial is data", () => {
  const denied = { status: "denied", by: "user" }
  expect(writeTool.present({ path: "a", text: "" }, denied)).toBe(
    '{"tool":"write","status":"denied","by":"user"}',
  )
})
