import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { bytesOf, makeFolders } from "../support/folders.ts"

let base: string
let children: ChildProcess[]

beforeEach(() => {
  children = []
  base = realpathSync(mkdtempSync(join(tmpdir(), "harness-races-")))
  for (const folder of ["root", "artifacts", "home"]) mkdirSync(join(base, folder))
})

afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(base, { recursive: true, force: true })
})

test("a link that is swapped in between check and use never wins", async () => {
  const folders = makeFolders()
  folders.put({ "root/folder/file": "inside", "outside/file": "outside" })
  const secret = createHash("sha256").update("outside").digest("hex")
  try {
    const swapper = start("swapper.ts", [folders.path, folders.outside])
    await once(swapper.stdout, "data")

    const seen = { read: 0, written: 0 }
    const end = performance.now() + 3_000
    for (let turn = 0; performance.now() < end; turn += 1) {
      const read = await folders.files.read("folder/file", { limitBytes: 100 })
      if (read.status === "read") {
        seen.read += 1
        expect(String(read.bytes)).not.toBe("outside")
      }
      const bytes = bytesOf(`written ${turn}`)
      const expected = turn % 2 === 0 ? "absent" : secret
      const found = await folders.files.replace(`folder/new${turn % 5}`, bytes, { expected })
      if (found.status === "written") seen.written += 1
      await folders.files.replace("folder/file", bytes, { expected: secret })
      await folders.files.list("folder")
      rmSync(join(folders.path, `folder/new${(turn + 1) % 5}`), { force: true })
    }
    expect(seen).toEqual({ read: expect.any(Number), written: expect.any(Number) })
    expect(Math.min(seen.read, seen.written)).toBeGreaterThan(0)
    expect(readdirSync(folders.outside)).toEqual(["file"])
    expect(readFileSync(join(folders.outside, "file"), "utf8")).toBe("outside")
  } finally {
    for (const child of children) child.kill("SIGKILL")
    folders.dispose()
  }
})

test("a writer that is killed at any moment leaves the old content or the new one, and nothing else", async () => {
  const size = 300_000
  for (let round = 0; round < 8; round += 1) {
    const writer = start("writer.ts", places(`${size}`))
    await once(writer.stdout, "data")
    await pause(round * 9)
    writer.kill("SIGKILL")
    await once(writer, "exit")

    const content = readFileSync(join(base, "root/file"), "utf8")
    expect(content).toHaveLength(size)
    expect(content).toBe(content[0]?.repeat(size))
    expect(readdirSync(join(base, "root"))).toEqual(["file"])
    for (const folder of readdirSync(join(base, "artifacts/evidence"))) {
      for (const name of readdirSync(join(base, "artifacts/evidence", folder))) {
        if (name.startsWith(".")) continue
        const payload = readFileSync(join(base, "artifacts/evidence", folder, name))
        expect(createHash("sha256").update(payload).digest("hex")).toBe(name)
      }
    }
  }
})

test("a file that cannot be written whole is refused, and nothing is left of it", async () => {
  writeFileSync(join(base, "root/file"), "old")
  // Blocks of 512 bytes: the payload does not fit, as on a disk that is full.
  const command = `ulimit -f 64; exec "$0" "$@"`
  for (const size of [100_000, 100]) {
    const writer = start("writer.ts", places(`${size}`, "once"), {
      through: ["/bin/sh", "-c", command],
    })
    const [line] = await once(createInterface({ input: writer.stdout }), "line")
    if (size === 100) expect(JSON.parse(line)).toMatchObject({ status: "written" })
    else {
      expect(JSON.parse(line)).toMatchObject({ status: "refused", error: "unwritable" })
      expect(readFileSync(join(base, "root/file"), "utf8")).toBe("old")
    }
    expect(readdirSync(join(base, "root"))).toEqual(["file"])
  }
  const kept = readdirSync(join(base, "artifacts/evidence"), { recursive: true, encoding: "utf8" })
  expect(kept.filter(name => name.includes("/."))).toEqual([])
})

test("of two processes that change one file a thousand times no write is lost without a conflict", async () => {
  writeFileSync(join(base, "root/file"), "")
  const said = await Promise.all(
    ["a", "b"].map(name => wholeOutput("editor.ts", places(name, "500"))),
  )
  const lines = said.flatMap(text => text.trimEnd().split("\n"))
  const written = lines.filter(line => line !== "conflict")

  expect(lines).toHaveLength(1_000)
  expect(written.length).toBeGreaterThan(100)
  expect(written.length).toBeLessThan(1_000)
  const kept = readFileSync(join(base, "root/file"), "utf8").trimEnd().split("\n")
  expect(kept.toSorted()).toEqual(written.toSorted())
})

test("a lock whose holder was killed is taken over", async () => {
  writeFileSync(join(base, "root/file"), "")
  for (let round = 0; round < 5; round += 1) {
    const editor = start("editor.ts", places("a", "100000"))
    await once(editor.stdout, "data")
    await pause(round * 3)
    editor.kill("SIGKILL")
    await once(editor, "exit")
  }
  expect(await wholeOutput("editor.ts", places("b", "1"))).toBe("b0\n")
})

async function wholeOutput(fixture: string, args: string[]): Promise<string> {
  const { stdout } = start(fixture, args)
  let text = ""
  for await (const chunk of stdout) text += chunk
  return text
}

function places(...more: string[]): string[] {
  return [...["root", "artifacts", "home"].map(folder => join(base, folder)), ...more]
}

function start(fixture: string, args: string[], { through = [] }: { through?: string[] } = {}) {
  const script = fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url))
  const [program = "", ...rest] = [
    ...through,
    process.execPath,
    "--conditions=@harness/source",
    script,
    ...args,
  ]
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] })
  children.push(child)
  return child
}
