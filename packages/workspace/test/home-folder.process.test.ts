import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { JsonObject } from "@harness/sdk"
import { expect, onTestFinished, test } from "vitest"
import { openProjectWorker } from "./support/worker.ts"

test("where the root is the home folder itself, its keys and HARNESS_HOME are there for no action", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "harness-home-folder-")))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const files = {
    ".ssh/id_ed25519": "needle",
    ".config/gcloud/credentials.db": "needle",
    ".docker/config.json": "needle",
    ".netrc": "needle",
    ".harness/projects/p/log.jsonl": "needle",
    "private/notes": "needle",
    ".config/app.conf": "needle",
    "notes.txt": "needle",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  symlinkSync(".ssh", join(home, "keys"))
  const before = snapshot(home)

  const worker = await openProjectWorker({
    env: { HOME: home },
    hello: {
      root: home,
      home: join(home, ".harness"),
      artifacts: join(home, ".harness/projects/p/c/artifacts"),
      containment: { hide: ["~/private"], unix_sockets: false, debuggers: false },
    },
  })
  const permits = { permits: ["control_file", "secret_file"] }
  const run = async (action: string, input: JsonObject) =>
    (await worker.run(action, input, permits)).result

  const paths = [".ssh/id_ed25519", "keys/id_ed25519", ".config/gcloud/x", ".docker/config.json"]
  const more = [".netrc", ".NETRC", ".harness/projects/p/log.jsonl", "private/notes", ".aws/new"]
  for (const path of [...paths, ...more, join(home, ".ssh/new")]) {
    const hidden = { error: "hidden", path }
    expect(await run("read_file", { path }), path).toMatchObject(hidden)
    expect(await run("write_file", { path, text: "x" })).toMatchObject(hidden)
    expect(await run("edit_file", { path, old_text: "n", new_text: "x" })).toMatchObject(hidden)
    expect(await run("search_files", { path, pattern: "." })).toMatchObject(hidden)
    expect(await run("list_files", { path })).toMatchObject(hidden)
  }
  expect(await run("search_files", { pattern: "needle" })).toMatchObject({
    matches: [{ path: ".config/app.conf" }, { path: "notes.txt" }],
  })
  expect(await run("list_files", {})).toEqual({
    files: [".config/app.conf", "notes.txt"],
    truncated: false,
  })
  expect(snapshot(home)).toEqual(before)
})

/** What the user has there; harness keeps its own in its own place. */
function snapshot(home: string): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.includes("/artifacts/"))
  return Object.fromEntries(files.sort().map(path => [path, readFileSync(path, "utf8")]))
}
