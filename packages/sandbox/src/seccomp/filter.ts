import {
  answer,
  answerWith,
  assembled,
  type Instruction,
  load,
  masked,
  whenAny,
  whenAtLeast,
  whenEqual,
} from "./assemble.ts"
import { withoutSetUserId } from "./set-user-id.ts"
import { type Architecture, auditArchitecture, type Syscall, syscalls } from "./syscalls.ts"

export type FilterOptions = {
  architecture: Architecture
  /** Allows sockets of AF_UNIX. */
  unixSockets: boolean
  /** Allows a process to trace and to read its own kind. */
  debuggers: boolean
}

const EPERM = 1
const ENOSYS = 38

/** From here on x64 takes calls of the x32 interface, whose numbers the deny list does not know. */
const X32 = 0x40000000

/** Namespaces, mounts, the kernel's own doors, and what reaches into other processes. */
const denied: readonly Syscall[] = [
  "unshare",
  "setns",
  "mount",
  "umount2",
  "pivot_root",
  "chroot",
  "move_mount",
  "open_tree",
  "open_tree_attr",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "keyctl",
  "add_key",
  "request_key",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "fanotify_init",
  "kexec_load",
  "kexec_file_load",
  "init_module",
  "finit_module",
  "delete_module",
  "open_by_handle_at",
  "name_to_handle_at",
  "pidfd_getfd",
  "swapon",
  "swapoff",
  "reboot",
  "quotactl",
  "quotactl_fd",
  "acct",
  "syslog",
  "lookup_dcookie",
]

const deniedWithoutDebuggers: readonly Syscall[] = [
  "ptrace",
  "process_vm_readv",
  "process_vm_writev",
]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; NEWTIME cannot be had of clone. */
const newNamespaces =
  0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

/** They type into a terminal that others read from. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16

const SOCK_TYPE_MASK = 0xf
const SOCK_STREAM = 1
const SOCK_SEQPACKET = 5

/**
 * The program of seccomp for a command: what containment stands on is refused with EPERM, as a
 * system without the permission would; the rest is allowed.
 *
 * @example
 * await writeFile(file, filter({ architecture: "x64", unixSockets: false, debuggers: false }))
 */
export function filter({ architecture, unixSockets, debuggers }: FilterOptions): Uint8Array {
  const number = syscalls[architecture]
  const refused = debuggers ? denied : [...denied, ...deniedWithoutDebuggers]

  return assembled([
    load.architecture,
    ...whenNot(auditArchitecture[architecture], [answerWith(answer.killProcess)]),

    load.number,
    ...(architecture === "x64" ? whenAtLeast(X32, [fails(ENOSYS)]) : []),
    ...refused.flatMap(name => whenEqual(number[name], [fails(EPERM)])),

    // Its flags lie in memory, which a filter cannot read: libraries fall back to clone.
    ...whenEqual(number.clone3, [fails(ENOSYS)]),
    ...whenEqual(number.clone, [
      load.argument(0),
      ...whenAny(newNamespaces, [fails(EPERM)]),
      answerWith(answer.allow),
    ]),
    ...whenEqual(number.ioctl, [
      load.argument(1),
      ...[TIOCSTI, TIOCLINUX].flatMap(request => whenEqual(request, [fails(EPERM)])),
      answerWith(answer.allow),
    ]),
    ...whenEqual(number.socket, [
      load.argument(0),
      ...allowed([AF_INET, AF_INET6, AF_NETLINK, ...(unixSockets ? [AF_UNIX] : [])]),
      fails(EPERM),
    ]),
    ...whenEqual(number.socketpair, socketPair(unixSockets)),
    ...withoutSetUserId(syscalls[architecture]),
    answerWith(answer.allow),
  ])
}

/**
 * A pair of datagram sockets can be connected anew, to a path name of the host. One that is connected
 * for good cannot, and programs of Rust need such a pair to start others.
 */
function socketPair(unixSockets: boolean): Instruction[] {
  const types = unixSockets
    ? [answerWith(answer.allow)]
    : [
        load.argument(1),
        masked(SOCK_TYPE_MASK),
        ...allowed([SOCK_STREAM, SOCK_SEQPACKET]),
        fails(EPERM),
      ]
  return [load.argument(0), ...whenEqual(AF_UNIX, types), fails(EPERM)]
}

function allowed(values: readonly number[]): Instruction[] {
  return values.flatMap(value => whenEqual(value, [answerWith(answer.allow)]))
}

function fails(errno: number): Instruction {
  return answerWith(answer.errno(errno))
}

function whenNot(value: number, body: readonly Instruction[]): Instruction[] {
  const [jump, ...rest] = whenEqual(value, body)
  return jump === undefined
    ? []
    : [{ ...jump, jumpTrue: jump.jumpFalse, jumpFalse: jump.jumpTrue }, ...rest]
}
