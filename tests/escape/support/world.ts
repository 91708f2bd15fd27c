import { execFileSync } from "node:child_process"
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { SandboxPolicy } from "../../../packages/sandbox/src/index.ts"
import type { Identity } from "./identities.ts"

/** Where the folders of a machine lie to each other. */
export type Layout =
  | "a project in the home folder"
  | "all below /tmp"
  | "a home folder below a link"
  | "on another mount"
  | "a project that is the home folder"

export const layouts: readonly Layout[] = [
  "a project in the home folder",
  "all below /tmp",
  "a home folder below a link",
  "on another mount",
  "a project that is the home folder",
]

/** A machine in small: a project, a home folder with secrets, and a file that is nobody's business. */
export type World = {
  identity: Identity
  root: string
  /** Outside what a command may write. */
  outside: string
  /** As the user would write it. */
  home: string
  harnessHome: string
  temp: string
  /** A folder of the host's /tmp. */
  marker: string
  policy: Omit<SandboxPolicy, "env">
  remove(): void
}

export function makeWorld(identity: Identity, layout: Layout): World {
  const base = mkdtempSync(
    join(layout === "all below /tmp" ? "/tmp" : "/var/tmp", "harness-escape-"),
  )
  const temp = mkdtempSync("/tmp/harness-escape-temp-")
  const marker = mkdtempSync("/tmp/harness-escape-marker-")
  const place = placeIn(base, layout)
  const mount = layout === "on another mount" ? mountAt(place) : undefined

  const folders = foldersIn(mount ?? place, layout)
  fill(folders)
  for (const path of [base, mount ?? base, temp, marker]) own(path, identity)

  const { root, harnessHome } = folders
  const home = layout === "a home folder below a link" ? join(base, "link/home") : folders.home
  return {
    ...{ identity, root, outside: folders.outside, home, harnessHome, temp, marker },
    policy: {
      ...{ root, temp, cwd: root, home, hidden: [harnessHome] },
      ...{ network: false, unixSockets: false, debuggers: false },
    },
    remove: () => {
      if (mount === place) execFileSync("umount", [place])
      for (const path of [base, mount ?? base, temp, marker]) {
        rmSync(path, { recursive: true, force: true })
      }
    },
  }
}

type Folders = Pick<World, "root" | "outside" | "home" | "harnessHome">

function placeIn(base: string, layout: Layout): string {
  if (layout === "a home folder below a link") {
    mkdirSync(join(base, "real"))
    symlinkSync("real", join(base, "link"))
    return realpathSync(join(base, "link"))
  }
  return base
}

/** A file system of its own; who may mount none takes that of the host's shared memory. */
function mountAt(place: string): string {
  if (process.getuid?.() !== 0) return mkdtempSync("/dev/shm/harness-escape-")
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m", "harness-escape", place])
  return place
}

function foldersIn(base: string, layout: Layout): Folders {
  const home = join(base, "home")
  const isHome = layout === "a project that is the home folder"
  return {
    home,
    root: isHome ? home : join(home, "app"),
    outside: isHome ? join(base, "outside") : home,
    harnessHome: join(home, ".harness"),
  }
}

function fill({ root, outside, home, harnessHome }: Folders): void {
  put(home, {
    ".ssh/id_test": "a key\n",
    ".aws/credentials": "a key\n",
    ".npmrc": "a token\n",
    "run/here": "",
  })
  put(harnessHome, { "config.jsonc": "{}\n" })
  put(outside, { "victim.txt": "as it was\n", "run/here": "" })
  put(root, {
    "package.json": "{}\n",
    ".gitmodules": "",
    ".idea/workspace.xml": "",
    ".devcontainer/devcontainer.json": "{}\n",
    "node_modules/.pnpm/lock.yaml": "",
    ".gitignore": "node_modules/\n/run/\n/.ssh/\n/.aws/\n/.npmrc\n/.harness/\n*.sock\n",
  })
  linkSync(join(outside, "victim.txt"), join(root, "linked-before"))

  const run = (...args: string[]) =>
    execFileSync("git", ["-C", root, ...args], { env: gitEnv(home) })
  run("init", "-q", "-b", "main")
  put(root, { ".git/hooks/pre-commit.sample": "" })
  run("add", "-A")
  run("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "start")
}

/** Runs git on the host, as whoever owns the world. */
export function git({ identity, root, home }: World, ...args: string[]): void {
  execFileSync("git", ["-C", root, ...args], { env: gitEnv(home), ...identity.ids })
}

/** Nothing of the machine's own configuration. */
function gitEnv(home: string): Record<string, string> {
  return {
    ...{ PATH: process.env.PATH ?? "", HOME: home },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  }
}

function put(folder: string, content: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function own(path: string, { ids }: Identity): void {
  chmodSync(path, 0o755)
  if (ids) execFileSync("chown", ["-R", `${ids.uid}:${ids.gid}`, path])
}
