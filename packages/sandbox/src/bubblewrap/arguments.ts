import type { Mount } from "./mounts.ts"

export type ArgumentOptions = {
  mounts: readonly Mount[]
  network: boolean
  cwd: string
  env: Readonly<Record<string, string>>
  /** The descriptor that the program of seccomp is read from. */
  seccomp: number
  /** The descriptor that bubblewrap tells on what it started. */
  report: number
}

/**
 * The arguments of bubblewrap before those of the command.
 *
 * `--remount-ro /proc`: as root, /proc/sys of a new /proc can be written, and with it programs of
 * the host named. `--unshare-user` is said because `--disable-userns` wants it said. The command's
 * environment is set here and not inherited: the variables would hold for bubblewrap too, and one
 * of them can make it load a library.
 */
export function bubblewrapArguments(options: ArgumentOptions): string[] {
  const { mounts, network, cwd, env, seccomp, report } = options
  return [
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    "--disable-userns",
    "--die-with-parent",
    "--new-session",
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc", "--remount-ro", "/proc"],
    ...mounts.flatMap(mountArguments),
    ...["--chdir", cwd],
    "--clearenv",
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--json-status-fd", String(report)],
    ...["--seccomp", String(seccomp)],
  ]
}

function mountArguments(mount: Mount): string[] {
  const { path } = mount
  switch (mount.type) {
    case "fresh":
      // Made by `--dev` already, in a file system of its own.
      return path === "/dev/shm" ? [] : ["--tmpfs", path]
    case "hidden":
      return mount.of === "folder" ? sealed(path) : ["--ro-bind", "/dev/null", path]
    case "shown":
    case "tool":
      return ["--ro-bind", mount.source, path]
    case "readonly":
      return ["--ro-bind", path, path]
    case "writable":
    case "pin":
      return ["--bind", path, path]
  }
}

/** Not even root writes into it without capabilities; to mount it read-only would cost more time. */
function sealed(path: string): string[] {
  return ["--perms", "0500", "--tmpfs", path]
}
