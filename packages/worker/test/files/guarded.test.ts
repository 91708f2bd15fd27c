import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openRoot, walk } from "../../src/files/walk.ts"
import { bytesOf, type Folders, makeFolders } from "../support/folders.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe.each(["linux", "darwin"] as const)("on %s", platform => {
  let folders: Folders

  beforeEach(() => {
    folders = makeFolders({ platform, hidden: ["root/keys", "root/home/state", "root/none/yet"] })
  })

  afterEach(() => {
    folders.dispose()
  })

  const link = (target: string, place: string) => symlinkSync(target, join(folders.path, place))
  const write = (path: string, expected = "absent", files = folders.files) =>
    files.replace(path, bytesOf("new"), { expected })

  test("a control file is written with the permit alone, through whatever link or spelling", async () => {
    folders.put({ "root/.git/config": "old", "root/sub/x": "" })
    mkdirSync(join(folders.path, ".git/hooks"))
    link(".git", "plain")
    link("hooks/pre-commit", ".git/dangling")
    const ways = [
      ".git/config",
      "plain/config",
      "sub/../.git/hooks/pre-commit",
      ".git/dangling",
      ".GIT/hooks/pre-commit",
      "sub/.git/hooks/post-checkout",
      "sub/.git",
      ".envrc",
      ".vscode/tasks.json",
    ]
    for (const path of ways) {
      expect(await write(path, sha256("old")), path).toMatchObject({ error: "control_file", path })
      expect(await write(path), path).toMatchObject({ status: "refused", error: "control_file" })
    }
    expect(await write("plain/config")).toEqual({
      status: "refused",
      error: "control_file",
      path: "plain/config",
      message: "plain/config leads to .git/config, a control file (.git/config).",
    })
    expect(readdirSync(join(folders.path, ".git")).sort()).toEqual(["config", "dangling", "hooks"])
    expect(folders.evidence.links).toEqual([])

    const { files } = folders.filesWith({ permits: ["control_file"] })
    for (const path of ways.slice(1, 4)) {
      const expected = path === "plain/config" ? sha256("old") : "absent"
      const done = path === ".git/dangling" ? "conflict" : "written"
      expect(await write(path, expected, files), path).toMatchObject({ status: done })
    }
  })

  test("a control file is read like any other", async () => {
    folders.put({ "root/.git/config": "old" })
    expect(await folders.files.read(".git/config", { limitBytes: 9 })).toMatchObject({
      status: "read",
    })
  })

  test("a secret file is opened with the permit alone, through whatever link or spelling", async () => {
    folders.put({ "root/.env": "KEY=1", "root/a/server.pem": "k", "root/.env.example": "KEY=" })
    link(".env", "plain")
    link("a", "b")
    for (const path of [".env", "plain", "b/server.pem", "a/../.env"]) {
      const refused = expect.objectContaining({ status: "refused", error: "secret_file", path })
      expect(await folders.files.read(path, { limitBytes: 9 }), path).toEqual(refused)
      expect(await folders.files.window(path, { offset: 0, limitBytes: 0 })).toEqual(refused)
      expect(await write(path, sha256("KEY=1"))).toEqual(refused)
      expect(await write(path)).toEqual(refused)
      expect(await folders.files.locate(path)).toMatchObject({ status: "located" })
    }
    expect(await folders.files.read("plain", { limitBytes: 9 })).toMatchObject({
      message: "plain leads to .env, a secret file.",
    })
    expect(await folders.files.read(".env.example", { limitBytes: 9 })).toMatchObject({
      status: "read",
    })
    expect(await write("new/.env.local")).toMatchObject({ error: "secret_file" })
    expect(existsSync(join(folders.path, "new"))).toBe(false)

    const { files } = folders.filesWith({ permits: ["secret_file"] })
    expect(await files.read("plain", { limitBytes: 9 })).toMatchObject({ sha256: sha256("KEY=1") })
  })

  test("of a secret file that is replaced or made, the hashes are evidence and cost nothing", async () => {
    folders.put({ "root/.env": "KEY=1" })
    const { files, evidence } = folders.filesWith({ permits: ["secret_file"], grantBytes: 0 })
    expect(await write(".env", sha256("KEY=1"), files)).toMatchObject({
      status: "written",
      before: sha256("KEY=1"),
    })
    expect(await write(".env.local", "absent", files)).toMatchObject({ status: "written" })
    expect(readFileSync(join(folders.path, ".env"), "utf8")).toBe("new")

    const after = { role: "after", sha256: sha256("new"), bytes: 3, withheld: true }
    expect(evidence.links).toEqual([
      { role: "before", sha256: sha256("KEY=1"), bytes: 5, path: ".env", withheld: true },
      { ...after, path: ".env" },
      { ...after, path: ".env.local" },
    ])
    expect(evidence.usedBytes).toBe(0)
    expect(readdirSync(folders.artifacts)).toEqual([])
  })

  test("a hidden place below the root is there for nobody, in whatever spelling", async () => {
    folders.put({
      "root/keys/id": "k",
      "root/home/state/log": "l",
      "root/home/a": "",
      "root/b": "",
    })
    link("keys", "way")
    link("home/state/log", "log")
    const { filesWith } = folders
    const { files } = filesWith({ permits: ["control_file", "secret_file"] })
    const ways = [
      "keys",
      "keys/id",
      "KEYS/id",
      "way/id",
      "way",
      "log",
      "b/../keys/id",
      "none/yet/x",
    ]
    for (const path of [...ways, join(folders.path, "keys/id"), "home/state", "keys/new"]) {
      const refused = expect.objectContaining({ status: "refused", error: "hidden", path })
      expect(await files.read(path, { limitBytes: 9 }), path).toEqual(refused)
      expect(await files.list(path)).toEqual(refused)
      expect(await files.locate(path)).toEqual(refused)
      expect(await write(path, "absent", files)).toEqual(refused)
      expect(await write(path, sha256("k"), files)).toEqual(refused)
    }
    expect(await files.list(".")).toMatchObject({
      entries: [{ path: "b" }, { path: "home" }, { path: "log" }, { path: "way" }],
    })
    expect(await files.list("home")).toMatchObject({ entries: [{ path: "home/a" }] })
    expect(readdirSync(join(folders.path, "keys"))).toEqual(["id"])
  })
})

test("a hidden place that is a link hides what it leads to, too", () => {
  const folders = makeFolders()
  folders.put({ "root/dotfiles/ssh/id": "k", "root/dotfiles/vimrc": "" })
  symlinkSync("dotfiles/ssh", join(folders.path, ".ssh"))
  const root = openRoot(folders.path, process.platform, { hidden: [join(folders.path, ".ssh")] })
  for (const path of [".ssh", ".ssh/id", "dotfiles/ssh/id", "dotfiles/ssh/new"]) {
    expect(walk(root, path), path).toMatchObject({ status: "refused", error: "hidden" })
  }
  const place = walk(root, "dotfiles/vimrc")
  expect(place).toMatchObject({ status: "reached", names: ["dotfiles", "vimrc"] })
  if (place.status === "reached") place.close()
  root.step.close()
  folders.dispose()
})
