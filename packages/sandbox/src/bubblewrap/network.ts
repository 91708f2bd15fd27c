import type { Namespaces } from "../provider.ts"

/**
 * A process in a network of its own. Without `--dev` and `--proc`: for those bubblewrap makes users
 * within users, and the outer ones, who own the network, could not be named. What runs in it is a
 * shell that waits, in a file system that it cannot write.
 */
export function newNetworkArguments(program: string, report: number): string[] {
  return [
    program,
    "--unshare-user",
    "--unshare-net",
    "--die-with-parent",
    "--new-session",
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--json-status-fd", String(report)],
    "--",
    ...["/bin/sh", "-c", "echo up; read -r _"],
  ]
}

/** Starts a program inside: the users first, for they may enter the network. */
export function inNetwork(
  nsenter: string,
  { user, network }: Namespaces,
  argv: readonly string[],
): string[] {
  return [nsenter, `--user=${user}`, `--net=${network}`, "--preserve-credentials", "--", ...argv]
}
