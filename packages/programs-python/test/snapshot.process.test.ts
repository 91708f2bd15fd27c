import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { snapshotCache, startPython, temporaryFolder } from "./support/python.ts"

let folder = temporaryFolder()

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

async function runOne(source: string): Promise<string> {
  const python = await startPython(folder.path)
  try {
    return (await python.run(source)).stdout
  } finally {
    await python.session.dispose()
  }
}

function snapshotsIn(path: string): string[] {
  return readdirSync(path).filter(name => name.endsWith(".snapshot"))
}

/** One that is whole, made once for all tests. */
async function wholeSnapshot(): Promise<{ name: string; whole: Buffer }> {
  const prepared = await startPython(snapshotCache)
  await prepared.run("1")
  await prepared.session.dispose()
  const [name = ""] = snapshotsIn(snapshotCache)
  return { name, whole: readFileSync(join(snapshotCache, name)) }
}

describe("the snapshot", () => {
  let made: ReturnType<typeof wholeSnapshot>
  beforeAll(() => {
    made = wholeSnapshot()
    return made
  })

  test("is made by the first interpreter, in the place of older ones, and used by the second", async () => {
    writeFileSync(join(folder.path, `python-${"0".repeat(64)}.snapshot`), "of another version")
    expect(await runOne("print(echo(1).name)")).toBe("echo\n")
    const files = readdirSync(folder.path)
    expect(files).toEqual([expect.stringMatching(/^python-[0-9a-f]{64}\.snapshot$/)])

    expect(await runOne("print(echo(1).name)")).toBe("echo\n")
    expect(readdirSync(folder.path)).toEqual(files)
  })

  test("of an interpreter that is closed while it starts is not left half-written", async () => {
    const python = await startPython(folder.path)
    await python.session.dispose()
    expect(readdirSync(folder.path)).toEqual([])
  })

  test.each([
    ["is empty", () => Buffer.alloc(0)],
    ["is cut off", (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    [
      "has changed bytes",
      (whole: Buffer) => whole.fill(7, whole.length - 5_000, whole.length - 4_000),
    ],
    ["is something else", () => Buffer.from("not a snapshot at all")],
  ])("that %s is made anew", async (_name, damage) => {
    const { name, whole } = await made
    writeFileSync(join(folder.path, name), damage(Buffer.from(whole)))

    expect(await runOne("print(1)")).toBe("1\n")
    expect(snapshotsIn(folder.path)).toEqual([name])
    expect(await runOne("print(2)")).toBe("2\n")
  })
})
