import { execFileSync, spawnSync } from "node:child_process"
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { actionEvidence } from "../../src/evidence/action-evidence.ts"
import { payloadsIn } from "../../src/evidence/payloads.ts"
import { confinedFiles } from "../../src/files/files.ts"
import { guardOf } from "../../src/files/guard.ts"
import { replacementsInTurn } from "../../src/files/replace.ts"
import { stagingIn } from "../../src/files/staging.ts"
import { openRoot } from "../../src/files/walk.ts"
import { bytesOf, type Folders, makeFolders } from "../support/folders.ts"

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

test("no operation opens what is no regular file, and none waits for one", async () => {
  const { path: root, files } = folders
  const at = (name: string) => join(root, name)
  mkdirSync(at("folder"))
  execFileSync("mkfifo", [at("fifo"), at(".gitignore")])
  symlinkSync("fifo", at("link"))
  const server = createServer().listen(at("socket"))
  await new Promise(resolve => server.once("listening", resolve))
  const places = ["folder", "fifo", ".gitignore", "link", "socket", "."]
  // Devices can be made by the system's administrator alone.
  for (const [name, minor] of [
    ["zero", "5"],
    ["kmsg", "11"],
  ] as const) {
    if (spawnSync("mknod", [at(name), "c", "1", minor]).status === 0) places.push(name)
  }

  for (const path of places) {
    const refused = expect.objectContaining({ status: "refused", error: "not_a_file", path })
    expect(await files.read(path, { limitBytes: 9 }), path).toEqual(refused)
    expect(await files.window(path, { offset: 0, limitBytes: 9 })).toEqual(refused)
    for (const expected of ["absent", "0".repeat(64)]) {
      expect(await files.replace(path, bytesOf("new"), { expected })).toEqual(refused)
    }
  }
  expect(await files.replace("fifo/x", bytesOf("new"), { expected: "absent" })).toMatchObject({
    error: "not_a_folder",
  })
  expect(lstatSync(at("fifo")).isFIFO()).toBe(true)
  expect(folders.evidence.links).toEqual([])
  server.close()
})

test("what the kernel shows as files is none, and its file systems are no roots", async () => {
  if (process.platform !== "linux") return
  expect(() => openRoot("/proc/self", "linux")).toThrow("/proc/")
  expect(() => openRoot("/sys", "linux")).toThrow("it lies on sysfs")

  const base = mkdtempSync(join(tmpdir(), "harness-special-"))
  const root = openRoot("/", "linux")
  try {
    const files = confinedFiles({
      root,
      guard: guardOf({ permits: ["control_file", "secret_file"], secretFiles: [] }),
      replacements: replacementsInTurn(stagingIn(base)),
      evidence: actionEvidence(payloadsIn(base), 1_000_000),
    })
    for (const path of ["/proc/version", "proc/self/environ", "proc/kmsg", "/proc/self/mem"]) {
      expect(await files.read(path, { limitBytes: 1_000_000 }), path).toMatchObject({
        status: "refused",
        error: "not_a_file",
        message: `${path} is no file on a disk: it lies on proc.`,
      })
    }
    for (const path of ["dev/zero", "dev/null", "dev/tty"]) {
      expect(await files.read(path, { limitBytes: 9 }), path).toMatchObject({ status: "refused" })
    }
    const made = await files.replace("proc/sys/kernel/new", bytesOf("1"), { expected: "absent" })
    expect(made).toMatchObject({ error: "not_a_file" })
    expect(await files.read(join(base, "../../proc/version"), { limitBytes: 9 })).toMatchObject({
      error: "not_a_file",
    })
  } finally {
    root.step.close()
    rmSync(base, { recursive: true, force: true })
  }
})
