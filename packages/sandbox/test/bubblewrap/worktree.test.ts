import { join } from "node:path"
import { expect, test } from "vitest"
import { mountsOf } from "../../src/bubblewrap/mounts.ts"
import { linkedGit } from "../../src/bubblewrap/worktree.ts"
import { folderWith, put } from "../support/folder.ts"
import { policyFor } from "../support/policy.ts"

/** A main checkout and a worktree of it, as git lays them out. */
function checkouts() {
  const folder = folderWith({
    "main/.git/HEAD": "ref: refs/heads/main\n",
    "main/.git/config": "",
    "main/.git/objects": null,
    "main/.git/hooks/pre-commit": "",
    "main/.git/worktrees/fix/commondir": "../..\n",
    "main/.git/worktrees/other/commondir": "../..\n",
  })
  const root = join(folder, "fix")
  put(folder, {
    "fix/.git": `gitdir: ${join(folder, "main/.git/worktrees/fix")}\n`,
    "main/.git/worktrees/fix/gitdir": `${join(root, ".git")}\n`,
  })
  return { folder, root, common: join(folder, "main/.git") }
}

test("a worktree is known by the answer in its own folder", () => {
  const { root, common } = checkouts()

  expect(linkedGit(root)).toEqual({
    type: "worktree",
    common,
    own: join(common, "worktrees/fix"),
  })
})

test("of a worktree's git folder, what git reads before it acts is read-only", () => {
  const { root, common } = checkouts()

  const mounts = mountsOf({ policy: policyFor({ root }), searchPath: "" })

  expect(mounts.filter(({ path }) => path.startsWith(common) || path.startsWith(root))).toEqual([
    { type: "writable", path: root },
    { type: "readonly", path: join(root, ".git") },
    { type: "writable", path: common },
    { type: "readonly", path: join(common, "config") },
    { type: "readonly", path: join(common, "hooks") },
    { type: "readonly", path: join(common, "worktrees") },
    { type: "writable", path: join(common, "worktrees/fix") },
    { type: "readonly", path: join(common, "worktrees/fix/commondir") },
    { type: "readonly", path: join(common, "worktrees/fix/gitdir") },
  ])
})

test.for([
  ["names a folder that does not answer", "worktrees/other"],
  ["names the git folder itself", ""],
  ["names nothing that exists", "worktrees/gone"],
] as const)("a .git file that %s opens nothing", ([, where]) => {
  const { root, common } = checkouts()
  put(root, { ".git": `gitdir: ${join(common, where)}\n` })

  expect(linkedGit(root)).toBeUndefined()
})

test("an answer in the root itself opens no folder, whatever it says", () => {
  const { folder, root } = checkouts()
  const victim = join(folder, "victim")
  put(folder, { "victim/HEAD": "", "victim/objects": null })
  put(root, {
    ".git": `gitdir: ${join(root, "forged/worktrees/x")}\n`,
    "forged/worktrees/x/gitdir": join(root, ".git"),
    "forged/worktrees/x/commondir": victim,
  })

  expect(linkedGit(root)).toBeUndefined()
})

test("a link to somebody else's folder is followed before it is believed", () => {
  const { folder, root, common } = checkouts()
  put(folder, { "second/.git": `gitdir: ${join(folder, "second/way")}\n` })
  put(folder, { "second/way": { link: join(common, "worktrees/fix") } })

  expect(linkedGit(join(folder, "second"))).toBeUndefined()
  expect(linkedGit(root)?.type).toBe("worktree")
})

test("a submodule is known by the worktree that its configuration names", () => {
  const folder = folderWith({
    "main/.git/modules/lib/HEAD": "ref: refs/heads/main\n",
    "main/.git/modules/lib/objects": null,
    "main/.git/modules/lib/hooks/a.sample": "",
    "main/.git/modules/lib/config": "[core]\n\tbare = false\n\tworktree = ../../../lib\n",
    "main/lib/.git": "gitdir: ../.git/modules/lib\n",
    "main/copy/.git": "gitdir: ../.git/modules/lib\n",
  })
  const git = join(folder, "main/.git/modules/lib")
  const root = join(folder, "main/lib")

  const mounts = mountsOf({ policy: policyFor({ root }), searchPath: "" })

  expect(linkedGit(root)).toEqual({ type: "submodule", folder: git })
  expect(linkedGit(join(folder, "main/copy"))).toBeUndefined()
  expect(mounts.filter(({ path }) => path.startsWith(git))).toEqual([
    { type: "writable", path: git },
    { type: "readonly", path: join(git, "config") },
    { type: "readonly", path: join(git, "hooks") },
  ])
})
