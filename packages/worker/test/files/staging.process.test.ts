import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
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
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { actionEvidence } from "../../src/evidence/action-evidence.ts"
import { payloadsIn } from "../../src/evidence/payloads.ts"
import { confinedFiles } from "../../src/files/files.ts"
import { guardOf } from "../../src/files/guard.ts"
import { replacementsInTurn } from "../../src/files/replace.ts"
import { stagingIn } from "../../src/files/staging.ts"
import { openRoot, type Root } from "../../src/files/walk.ts"
import { bytesOf } from "../support/folders.ts"

let base: string
let home: string
let root: Root

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "harness-staging-")))
  home = join(base, "home")
  for (const folder of ["home", "root"]) mkdirSync(join(base, folder))
  root = openRoot(join(base, "root"), process.platform)
})

afterEach(() => {
  root.step.close()
  rmSync(base, { recursive: true, force: true })
})

const draft = () => ({ folder: root.step, bytes: bytesOf("new"), like: undefined })

test("a draft waits in HARNESS_HOME and is thrown away when nobody took it", async () => {
  const staging = stagingIn(home)
  await staging.put(root, draft(), async path => {
    expect(path.startsWith(join(home, "staging"))).toBe(true)
    expect(readFileSync(path, "utf8")).toBe("new")
    expect(readdirSync(root.path)).toEqual([])
  })
  expect(filesIn(home)).toEqual([])

  staging.close()
  expect(readdirSync(home)).toEqual(["locks"])
})

test("where a rename does not reach, it waits beside its target, with a note until it is gone", async () => {
  const staging = stagingIn(home)
  const paths: string[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    await staging.put(root, draft(), async path => {
      paths.push(path)
      if (path.startsWith(home)) throw Object.assign(new Error("cross-device"), { code: "EXDEV" })
      const [name = ""] = readdirSync(root.path)
      expect(readFileSync(join(root.path, name), "utf8")).toBe("new")
      const [note = ""] = filesIn(home)
      expect(readFileSync(note, "utf8")).toBe(join(root.path, name))
    })
  }
  expect(paths).toHaveLength(3)
  expect(filesIn(home)).toEqual([])
  expect(readdirSync(root.path)).toEqual([])
  staging.close()
})

test("a failure leaves neither a draft nor a note", async () => {
  const staging = stagingIn(home)
  const failing = staging.put(root, draft(), async () => {
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  expect([...filesIn(home), ...readdirSync(root.path)]).toEqual([])
  staging.close()
})

test("the folder of a living worker is left alone, that of a dead one is removed with its drafts", async () => {
  const living = stagingIn(home)
  await living.put(root, draft(), async path => {
    const [own = ""] = readdirSync(join(home, "staging"))
    const [machine, pid, start] = own.split("-")
    const dead = join(home, "staging", [machine, pid, `${Number(start) + 1}`, "0a"].join("-"))
    const beside = join(root.path, ".harness-0123456789ab.tmp")
    const other = join(root.path, "other.tmp")
    mkdirSync(dead)
    for (const file of [beside, other]) writeFileSync(file, "left")
    writeFileSync(join(dead, ".harness-0123456789ab.tmp.at"), beside)
    writeFileSync(join(dead, "other.at"), other)
    writeFileSync(join(dead, ".harness-ba9876543210.tmp"), other)

    stagingIn(home)
    expect(existsSync(path)).toBe(true)
    expect(existsSync(dead)).toBe(false)
    expect(readdirSync(root.path)).toEqual(["other.tmp"])
  })
  living.close()
})

test("the folder of another machine's worker is left alone while it is young", () => {
  const stranger = join(home, "staging", "0123456789ab-1-1-0a")
  mkdirSync(stranger, { recursive: true })
  stagingIn(home)
  expect(existsSync(stranger)).toBe(true)
})

test("a draft that a killed worker left beside its target is removed by the next one", async () => {
  const script = fileURLToPath(new URL("../fixtures/killed-while-staging.ts", import.meta.url))
  const args = ["--conditions=@harness/source", script, root.path, home]
  const worker = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] })
  expect(await once(worker, "exit")).toEqual([null, "SIGKILL"])
  expect(readdirSync(root.path)).toEqual([expect.stringMatching(/^\.harness-[0-9a-f]{12}\.tmp$/)])

  stagingIn(home).close()
  expect(readdirSync(root.path)).toEqual([])
  expect(readdirSync(home)).toEqual(["locks"])
})

test("files are created and replaced on another file system than that of HARNESS_HOME", async () => {
  // Linux has one in memory; where there is none, this is as good as any.
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
  const project = realpathSync(mkdtempSync(join(memory, "harness-staging-")))
  const apart = openRoot(project, process.platform)
  try {
    const files = confinedFiles({
      root: apart,
      guard: guardOf({ permits: [], secretFiles: [] }),
      replacements: replacementsInTurn(stagingIn(home)),
      evidence: actionEvidence(payloadsIn(join(base, "artifacts")), 1_000),
    })
    const made = await files.replace("new/file", bytesOf("one"), { expected: "absent" })
    expect(made).toMatchObject({ status: "written", before: null })
    const expected = made.status === "written" ? made.sha256 : ""
    expect(await files.replace("new/file", bytesOf("two"), { expected })).toMatchObject({
      status: "written",
      before: expected,
    })
    expect(readFileSync(join(project, "new/file"), "utf8")).toBe("two")
    expect(filesIn(project)).toEqual([join(project, "new/file")])
    expect(filesIn(home)).toEqual([])
  } finally {
    apart.step.close()
    rmSync(project, { recursive: true, force: true })
  }
})

/** Without the lock, which stays for the next one. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.parentPath !== join(home, "locks"))
    .map(entry => join(entry.parentPath, entry.name))
}
