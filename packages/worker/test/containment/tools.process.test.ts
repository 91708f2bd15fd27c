import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sandboxFor } from "@harness/sandbox"
import { afterEach, beforeEach, expect, test } from "vitest"
import { makePool, sandboxOptions, type TestPool } from "../support/pool.ts"

let folder: string
let pool: TestPool
/** In HARNESS_HOME, as the tool of an installed package is. */
let packages: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-tools-"))
  const provider = sandboxFor("os", sandboxOptions(folder))
  pool = makePool({ sandbox: { provider, network: false } })
  packages = join(pool.folders.artifacts, "packages")
  mkdirSync(packages)
  writeFileSync(join(packages, "key"), "secret")
  writeFileSync(join(pool.folders.path, "file"), "inside")
})

afterEach(async () => {
  await pool.dispose()
  rmSync(folder, { recursive: true, force: true })
})

test("a tool of an action runs from a hidden folder, and nothing beside it is there", async () => {
  const tool = join(packages, "look")
  writeFileSync(tool, '#!/bin/sh\ncat file; cat "$(dirname "$0")/key"; ls "$(dirname "$0")"\n')
  chmodSync(tool, 0o755)
  const { receipt, preview } = await pool.run({ argv: [tool], scratch: true, streams: "stdout" })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0 })
  expect(preview).toBe("insidelook\n")
})

test("a tool runs by a name that is a link, and from a folder that /tmp covers", async () => {
  const linked = join(packages, "linked")
  const covered = join(folder, "cat")
  cpSync("/bin/cat", covered)
  symlinkSync(covered, linked)
  for (const tool of [linked, covered]) {
    const { preview } = await pool.run({ argv: [tool, "file"], scratch: true })
    expect(preview, tool).toBe("inside")
  }
})

test("what the model asks to run is no tool: a program in a hidden folder is not there", async () => {
  const tool = join(packages, "cat")
  cpSync("/bin/cat", tool)
  const { receipt } = await pool.run({ argv: [tool, "file"] })
  expect(receipt).toMatchObject({ status: "not_started" })
})
