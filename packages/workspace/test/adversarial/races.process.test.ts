import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JsonObject } from "@harness/sdk"
import { expect, test } from "vitest"
import { CANARY, makeOutside, snapshotOf } from "../support/outside.ts"
import { openProject } from "../support/project.ts"

const RACE_MS = 10_000

const fixture = new URL("../../../worker/test/fixtures/swapper.ts", import.meta.url)

test("for ten seconds no action meets what a link leads to that is swapped in meanwhile", async () => {
  const project = await openProject({ "folder/file": "inside\n", "folder/more": "inside\n" })
  const base = dirname(project.root)
  const outside = join(base, "outside")
  makeOutside(outside)
  const before = snapshotOf(outside)
  const around = readdirSync(base).sort()
  const canary = createHash("sha256").update(`${CANARY} file\n`).digest("hex")

  const args = ["--conditions=@harness/source", fileURLToPath(fixture), project.root, outside]
  const swapper = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const won = new Map<string, number>()
  const lost: JsonObject[] = []
  const attempt = async (
    name: string,
    input: JsonObject,
    isWon: (result: JsonObject) => boolean,
  ) => {
    const result = await project.run(name, input)
    if (isWon(result)) won.set(name, (won.get(name) ?? 0) + 1)
    const { files = [] } = result
    if (JSON.stringify(result).includes(CANARY)) lost.push(result)
    if (JSON.stringify(files).includes("folder/secret")) lost.push(result)
  }

  try {
    await once(swapper.stdout, "data")
    const end = performance.now() + RACE_MS
    for (let turn = 0; performance.now() < end; turn += 1) {
      const file = "folder/file"
      const fresh = `folder/new${turn % 5}`
      const isDone = ({ error }: JsonObject) => error === undefined
      const text = `inside ${turn}\n`
      await Promise.all([
        attempt("read_file", { path: file }, isDone),
        attempt("write_file", { path: fresh, text }, isDone),
        attempt("write_file", { path: file, text, expected: canary }, isDone),
        attempt("edit_file", { path: file, old_text: "inside", new_text: "INSIDE" }, isDone),
        attempt("edit_file", { path: file, old_text: CANARY, new_text: "changed" }, isDone),
      ])
      rmSync(join(project.root, fresh), { force: true })
      if (turn % 10 > 0) continue

      const isFull = ({ files, matches }: JsonObject) =>
        [files, matches].some(found => Array.isArray(found) && found.length > 0)
      await Promise.all([
        attempt("list_files", { path: "folder" }, isFull),
        attempt("list_files", {}, isFull),
        attempt("search_files", { path: "folder", pattern: "inside|canary" }, isFull),
        attempt("search_files", { path: file, pattern: "inside|canary" }, isFull),
        attempt("search_files", { pattern: "inside|canary", context: 1 }, isFull),
      ])
    }
  } finally {
    swapper.kill("SIGKILL")
  }

  expect(lost).toEqual([])
  expect(snapshotOf(outside)).toEqual(before)
  expect(readdirSync(base).sort()).toEqual(around)
  // Where nobody ever got through, nothing was shown.
  const names = ["edit_file", "list_files", "read_file", "search_files", "write_file"]
  expect([...won.keys()].sort()).toEqual(names)
}, 120_000)
