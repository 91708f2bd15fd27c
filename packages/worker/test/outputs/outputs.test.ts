import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { outputsIn } from "../../src/outputs/outputs.ts"
import { type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
  folders.put({
    "artifacts/processes/0123abcd/output": "0123456789",
    "artifacts/programs/12/output": "printed",
    "artifacts/processes/0123abcd/receipt.json": "secret",
    "artifacts/secret": "secret",
    [`artifacts/evidence/ab/${"ab".repeat(32)}`]: "evidence",
    "artifacts/evidence/index.jsonl": "secret",
  })
})

afterEach(() => {
  folders.dispose()
})

async function read(id: string, offset = 0, limitBytes = 100) {
  const found = await outputsIn(folders.artifacts).read(id, { offset, limitBytes })
  return found.status === "read" ? { ...found, bytes: String(found.bytes) } : found
}

test("an output is paged by its id, with and without the prefix", async () => {
  const window = { status: "read", size: 10 }
  expect(await read("0123abcd", 2, 3)).toEqual({ ...window, offset: 2, bytes: "234" })
  expect(await read("output:0123abcd", 8, 3)).toEqual({ ...window, offset: 8, bytes: "89" })
  expect(await read("output:0123abcd", 10)).toEqual({ ...window, offset: 10, bytes: "" })
  expect(await read("output:0123abcd", 99)).toEqual({ ...window, offset: 99, bytes: "" })
  expect(await read("output:program-12")).toMatchObject({ bytes: "printed", size: 7 })
})

test("evidence is paged by its hash", async () => {
  const sha256 = "ab".repeat(32)
  expect(await read(`output:${sha256}`, 2, 3)).toMatchObject({ bytes: "ide", size: 8 })
  expect(await read(`output:${"cd".repeat(32)}`)).toMatchObject({ error: "not_found" })
})

test("an id that nothing has is not found", async () => {
  expect(await read("output:ffffffff")).toEqual({
    status: "refused",
    error: "not_found",
    message: "There is no output output:ffffffff in this conversation.",
  })
  expect(await read("program-13")).toMatchObject({ error: "not_found" })
})

test("an id never becomes another path", async () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        "..",
        "/",
        "output:",
        "0123abcd",
        "program-",
        "12",
        "secret",
        "\0",
        "receipt.json",
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map(parts => parts.join(""))
  await fc.assert(
    fc.asyncProperty(fc.oneof(hostile, fc.string({ unit: "binary" })), async id => {
      const found = await read(id)
      if (found.status === "read") expect(["0123456789", "printed"]).toContain(found.bytes)
      else expect(found.error).toBe("not_found")
    }),
  )
})
