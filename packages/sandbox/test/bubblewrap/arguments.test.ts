import { expect, test } from "vitest"
import { bubblewrapArguments } from "../../src/bubblewrap/arguments.ts"
import type { Mount } from "../../src/bubblewrap/mounts.ts"

const fixed = [
  ...["--disable-userns", "--die-with-parent", "--new-session"],
  ...["--cap-drop", "ALL"],
  ...["--ro-bind", "/", "/"],
  ...["--dev", "/dev"],
  ...["--proc", "/proc", "--remount-ro", "/proc"],
]
const namespaces = [
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
]
const mounts: Mount[] = [
  { type: "fresh", path: "/tmp" },
  { type: "hidden", path: "/home/u/.ssh", of: "folder" },
  { type: "hidden", path: "/home/u/.npmrc", of: "file" },
  { type: "shown", path: "/tmp/node", source: "/opt/node" },
  { type: "writable", path: "/home/u/app" },
  { type: "pin", path: "/home/u/app/.git" },
  { type: "readonly", path: "/home/u/app/.git/hooks" },
]

test("a command gets all namespaces, its mounts in order, and no environment but its own", () => {
  const args = bubblewrapArguments({
    mounts,
    network: false,
    cwd: "/home/u/app/src",
    env: { PATH: "/bin", LD_PRELOAD: "/home/u/app/x.so" },
    seccomp: 3,
    report: 4,
  })

  expect(args).toEqual([
    ...namespaces,
    "--unshare-net",
    ...fixed,
    ...["--tmpfs", "/tmp"],
    ...["--perms", "0500", "--tmpfs", "/home/u/.ssh"],
    ...["--ro-bind", "/dev/null", "/home/u/.npmrc"],
    ...["--ro-bind", "/opt/node", "/tmp/node"],
    ...["--bind", "/home/u/app", "/home/u/app"],
    ...["--bind", "/home/u/app/.git", "/home/u/app/.git"],
    ...["--ro-bind", "/home/u/app/.git/hooks", "/home/u/app/.git/hooks"],
    ...["--chdir", "/home/u/app/src"],
    "--clearenv",
    ...["--setenv", "PATH", "/bin", "--setenv", "LD_PRELOAD", "/home/u/app/x.so"],
    ...["--json-status-fd", "4", "--seccomp", "3"],
  ])
})

test("with the network, only its namespace is left away", () => {
  const options = { mounts: [], cwd: "/", env: {}, seccomp: 3, report: 4 }

  expect(bubblewrapArguments({ ...options, network: true })).toEqual([
    ...namespaces,
    ...fixed,
    ...["--chdir", "/", "--clearenv", "--json-status-fd", "4", "--seccomp", "3"],
  ])
})
