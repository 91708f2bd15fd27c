import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Mount, mountsOf } from "../../src/bubblewrap/mounts.ts"
import type { SandboxPolicy } from "../../src/provider.ts"
import { folderWith, put } from "../support/folder.ts"
import { policyFor } from "../support/policy.ts"

/** Without what every machine has of its own. */
function mountsFor(policy: Partial<SandboxPolicy> & { root: string }, searchPath = ""): Mount[] {
  const mounts = mountsOf({ policy: policyFor(policy), searchPath })
  return mounts.filter(mount => mount.type !== "fresh" && mount.path !== "/nowhere/temp")
}

test("a command gets folders of its own for what all programs share, before anything in them", () => {
  const root = folderWith()

  const mounts = mountsOf({ policy: policyFor({ root }), searchPath: "" })

  expect(mounts.map(({ path }) => path)).toEqual(
    ["/run", "/tmp", "/dev/shm", "/nowhere/temp", root].sort(byDepth),
  )
})

test("an empty project is writable, and nothing that does not exist is made", () => {
  const root = folderWith()

  expect(mountsFor({ root })).toEqual([{ type: "writable", path: root }])
})

test("a repository without a folder of hooks gets an empty one that a command cannot fill", () => {
  const root = folderWith({ ".git/HEAD": "ref: refs/heads/main\n" })

  expect(mountsFor({ root })).toEqual([
    { type: "writable", path: root },
    { type: "pin", path: join(root, ".git") },
    { type: "hidden", path: join(root, ".git", "hooks"), of: "folder" },
  ])
})

test("control files that exist are read-only, and their folders cannot be moved away", () => {
  const root = folderWith({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "",
    ".git/hooks/pre-commit.sample": "",
    ".git/info/attributes": "",
    ".vscode/tasks.json": "{}",
    ".vscode/extensions.json": "{}",
    ".envrc": "",
    "node_modules/.pnpm/lock.yaml": "",
    "src/index.ts": "",
  })

  expect(mountsFor({ root })).toEqual([
    { type: "writable", path: root },
    { type: "readonly", path: join(root, ".envrc") },
    { type: "pin", path: join(root, ".git") },
    { type: "pin", path: join(root, ".vscode") },
    { type: "pin", path: join(root, "node_modules") },
    { type: "readonly", path: join(root, ".git/config") },
    { type: "readonly", path: join(root, ".git/hooks") },
    { type: "pin", path: join(root, ".git/info") },
    { type: "readonly", path: join(root, ".vscode/tasks.json") },
    { type: "readonly", path: join(root, "node_modules/.pnpm") },
    { type: "readonly", path: join(root, ".git/info/attributes") },
  ])
})

test("what the caller found deeper is read-only too, unless it lies in what already is", () => {
  const root = folderWith({
    ".idea/lib/.git/config": "",
    "vendor/lib/.git/config": "",
  })
  const controlled = [".idea/lib/.git/config", "vendor/lib/.git/config", "gone/.envrc"]

  const mounts = mountsFor({ root, controlled: controlled.map(path => join(root, path)) })

  expect(mounts).toEqual([
    { type: "writable", path: root },
    { type: "readonly", path: join(root, ".idea") },
    { type: "pin", path: join(root, "vendor") },
    { type: "pin", path: join(root, "vendor/lib") },
    { type: "pin", path: join(root, "vendor/lib/.git") },
    { type: "readonly", path: join(root, "vendor/lib/.git/config") },
  ])
})

test("a control file that is a link is protected where it leads to, unless it leads outside", () => {
  const outside = folderWith({ envrc: "" })
  const root = folderWith({
    "config/tasks.json": "{}",
    ".vscode/tasks.json": { link: "../config/tasks.json" },
    ".envrc": { link: join(outside, "envrc") },
    ".idea": { link: "missing" },
  })

  expect(mountsFor({ root })).toEqual([
    { type: "writable", path: root },
    { type: "pin", path: join(root, "config") },
    { type: "readonly", path: join(root, "config/tasks.json") },
  ])
})

test("submodules and worktrees kept in the git folder keep their hooks, configuration and origin", () => {
  const root = folderWith({
    ".git/modules/libs/one/HEAD": "",
    ".git/modules/libs/one/config": "",
    ".git/modules/libs/one/modules/inner/HEAD": "",
    ".git/modules/libs/one/modules/inner/hooks/a.sample": "",
    ".git/modules/loop": { link: ".." },
    ".git/worktrees/fix/commondir": "../..\n",
    ".git/worktrees/fix/gitdir": "/elsewhere/.git\n",
  })

  const readonly = mountsFor({ root }).filter(({ type }) => type === "readonly")

  expect(readonly.map(({ path }) => path.slice(root.length + 1)).sort()).toEqual([
    ".git/modules/libs/one/config",
    ".git/modules/libs/one/modules/inner/hooks",
    ".git/worktrees/fix/commondir",
    ".git/worktrees/fix/gitdir",
  ])
})

describe("secrets", () => {
  test("of the home folder are hidden where they are, links followed, as folders or as files", () => {
    const elsewhere = folderWith({ "keys/id_ed25519": "" })
    const home = folderWith({
      ".ssh": { link: join(elsewhere, "keys") },
      ".aws/credentials": "",
      ".config/gcloud/token": "",
      ".npmrc": "",
      ".gitconfig": "",
    })
    // A folder under /tmp is hidden as it is, so the project must be around to see more.
    expect(mountsFor({ root: join(home), home })).toEqual([
      { type: "writable", path: home },
      { type: "hidden", path: join(home, ".aws"), of: "folder" },
      { type: "pin", path: join(home, ".config") },
      { type: "hidden", path: join(home, ".npmrc"), of: "file" },
      { type: "hidden", path: join(home, ".config/gcloud"), of: "folder" },
    ])
    expect(mountsFor({ root: elsewhere, home })).toEqual([
      { type: "writable", path: elsewhere },
      { type: "hidden", path: join(elsewhere, "keys"), of: "folder" },
    ])
  })

  test("in the root are hidden in it, and a temporary folder in those is there", () => {
    const root = folderWith({ ".harness/tmp/one": null, ".harness/config.jsonc": "" })
    const temp = join(root, ".harness/tmp/one")

    expect(mountsFor({ root, temp, hidden: [join(root, ".harness")] })).toEqual([
      { type: "writable", path: root },
      { type: "hidden", path: join(root, ".harness"), of: "folder" },
      { type: "writable", path: temp },
    ])
  })

  test("around the root leave the root alone", () => {
    const folder = folderWith({ "app/a.txt": "", "secret.txt": "" })

    expect(mountsFor({ root: join(folder, "app"), hidden: [folder] })).toEqual([
      { type: "writable", path: join(folder, "app") },
    ])
  })
})

describe("a tool", () => {
  test("is there in a hidden or covered folder, under its name, by the file that it leads to", () => {
    const folder = folderWith({ "packages/rg": "", "packages/key": "" })
    const linked = folderWith({ rg: { link: join(folder, "packages/rg") } })
    const root = folderWith()
    const source = join(folder, "packages/rg")

    expect(mountsFor({ root, hidden: [folder], tool: source })).toContainEqual({
      type: "tool",
      path: source,
      source,
    })
    expect(mountsFor({ root, tool: join(linked, "rg") })).toContainEqual({
      type: "tool",
      path: join(linked, "rg"),
      source,
    })
  })

  test("that is there anyway, is missing or no file is not mounted", () => {
    const root = folderWith({ rg: "", folder: null })

    for (const tool of ["/bin/sh", join(root, "rg"), join(root, "none"), join(root, "folder")]) {
      expect(mountsFor({ root, tool })).toEqual([{ type: "writable", path: root }])
    }
  })
})

describe("programs below /tmp", () => {
  test("are there, with the folder that their bin lies in, but for what is hidden in it", () => {
    const folder = folderWith({ "node/bin/node": "", "node/home/key": "" })
    const root = folderWith()
    const hidden = [join(folder, "node/home")]

    const mounts = mountsFor({ root, hidden }, `relative:${join(folder, "node/bin")}/:/usr/bin`)

    expect(mounts).toEqual([
      { type: "writable", path: root },
      { type: "shown", path: join(folder, "node"), source: join(folder, "node") },
      { type: "hidden", path: join(folder, "node/home"), of: "folder" },
    ])
  })

  test("in a hidden folder or in the root are not shown once more", () => {
    const folder = folderWith({ "tools/bin/tool": "" })
    const root = folderWith({ "node_modules/.bin/tsc": "" })
    const searchPath = `${join(folder, "tools/bin")}:${join(root, "node_modules/.bin")}`

    expect(mountsFor({ root, hidden: [folder] }, searchPath)).toEqual([
      { type: "writable", path: root },
    ])
  })
})

test("a folder always comes before what lies in it, and each path once", () => {
  const names = ["a", "b", ".git", ".idea", ".ssh", "node_modules"]
  const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  const places = fc.array(path, { maxLength: 6 })

  fc.assert(
    fc.property(places, places, path, (hidden, controlled, temp) => {
      const root = folderWith()
      const at = (parts: readonly string[]) => join(root, ...parts)
      put(
        root,
        Object.fromEntries([...hidden, ...controlled, temp].map(each => [join(...each), null])),
      )

      const mounts = mountsFor({
        root,
        temp: at(temp),
        hidden: hidden.map(at),
        controlled: controlled.map(at),
      })

      const paths = mounts.map(mount => mount.path)
      expect(new Set(paths).size).toBe(paths.length)
      for (const [index, earlier] of paths.entries()) {
        expect(paths.slice(index).filter(later => earlier.startsWith(`${later}/`))).toEqual([])
      }
      for (const each of hidden) {
        const around = mounts.filter(mount => `${at(each)}/`.startsWith(`${mount.path}/`))
        expect(["hidden", "writable"]).toContain(around.at(-1)?.type)
        if (around.at(-1)?.type === "writable") expect(around.at(-1)?.path).toBe(at(temp))
      }
    }),
    { numRuns: 40 },
  )
})

function byDepth(one: string, other: string): number {
  return one.split("/").length - other.split("/").length || (one < other ? -1 : 1)
}
