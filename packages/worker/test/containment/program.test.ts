import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { obstacleTo } from "../../src/containment/program.ts"

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-program-")))
  for (const name of ["bin", "cwd", "other"]) mkdirSync(join(folder, name))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const put = (name: string, text: string, mode = 0o755) => {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
}
const obstacle = (program: string, path = `${folder}/other:${folder}/bin`) =>
  obstacleTo(program, { cwd: join(folder, "cwd"), env: { PATH: path } })

test("a program is found on the PATH of the command, beside its cwd, and by its whole path", () => {
  put("bin/tool", "#!/bin/sh\n")
  put("cwd/local", "#! /bin/sh -e\n")
  put("bin/text", "echo without an interpreter")
  expect(obstacle("tool")).toBeUndefined()
  expect(obstacle("text")).toBeUndefined()
  expect(obstacle("./local")).toBeUndefined()
  expect(obstacle("local", "")).toBeUndefined()
  expect(obstacle(join(folder, "bin/tool"))).toBeUndefined()
})

test("without a PATH the system's own folders are looked at", () => {
  expect(obstacleTo("sh", { cwd: folder, env: {} })).toBeUndefined()
})

test.each([
  ["nothing of that name", "nosuch", "ENOENT"],
  ["a path that is not there", "./nosuch", "ENOENT"],
  ["a file as a folder", "../bin/tool/x", "ENOENT"],
  ["an interpreter that is not there", "orphan", "ENOENT"],
  ["a link to nothing", "dangling", "ENOENT"],
  ["a folder", "../bin", "EACCES"],
  ["a file that is not executable", "plain", "EACCES"],
  ["an empty name", "", "ENOENT"],
])("%s cannot be started", (_case, program, code) => {
  put("bin/tool", "#!/bin/sh\n")
  put("bin/orphan", "#!/no/such/interpreter -x\n")
  put("bin/plain", "#!/bin/sh\n", 0o644)
  symlinkSync("/no/such/file", join(folder, "bin/dangling"))
  expect(obstacle(program)).toBe(code)
})

test("one that may not be executed gives way to one that may, further on", () => {
  put("other/tool", "#!/bin/sh\n", 0o644)
  put("bin/tool", "#!/bin/sh\n")
  expect(obstacle("tool")).toBeUndefined()
})
