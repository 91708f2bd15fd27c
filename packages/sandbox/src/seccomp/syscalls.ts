/** The architectures that we know the system calls of, as `process.arch` names them. */
export type Architecture = "x64" | "arm64"

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
export const auditArchitecture: Readonly<Record<Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
}

/** Newer calls have one number everywhere. */
const common = {
  clone3: 435,
  fsconfig: 431,
  fsmount: 432,
  fsopen: 430,
  fspick: 433,
  io_uring_enter: 426,
  io_uring_register: 427,
  io_uring_setup: 425,
  mount_setattr: 442,
  move_mount: 429,
  open_tree: 428,
  open_tree_attr: 467,
  pidfd_getfd: 438,
  quotactl_fd: 443,
} as const

/** The numbers of the system calls that a filter speaks of. */
export const syscalls = {
  x64: {
    ...common,
    acct: 163,
    add_key: 248,
    bpf: 321,
    chroot: 161,
    clone: 56,
    delete_module: 176,
    fanotify_init: 300,
    finit_module: 313,
    init_module: 175,
    ioctl: 16,
    kexec_file_load: 320,
    kexec_load: 246,
    keyctl: 250,
    lookup_dcookie: 212,
    mount: 165,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    perf_event_open: 298,
    pivot_root: 155,
    process_vm_readv: 310,
    process_vm_writev: 311,
    ptrace: 101,
    quotactl: 179,
    reboot: 169,
    request_key: 249,
    setns: 308,
    socket: 41,
    socketpair: 53,
    swapoff: 168,
    swapon: 167,
    syslog: 103,
    umount2: 166,
    unshare: 272,
    userfaultfd: 323,
  },
  arm64: {
    ...common,
    acct: 89,
    add_key: 217,
    bpf: 280,
    chroot: 51,
    clone: 220,
    delete_module: 106,
    fanotify_init: 262,
    finit_module: 273,
    init_module: 105,
    ioctl: 29,
    kexec_file_load: 294,
    kexec_load: 104,
    keyctl: 219,
    lookup_dcookie: 18,
    mount: 40,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    perf_event_open: 241,
    pivot_root: 41,
    process_vm_readv: 270,
    process_vm_writev: 271,
    ptrace: 117,
    quotactl: 60,
    reboot: 142,
    request_key: 218,
    setns: 268,
    socket: 198,
    socketpair: 199,
    swapoff: 225,
    swapon: 224,
    syslog: 116,
    umount2: 39,
    unshare: 97,
    userfaultfd: 282,
  },
} as const satisfies Record<Architecture, Record<string, number>>

export type Syscall = keyof (typeof syscalls)["x64"]

/** Whether we can assemble a filter for a `process.arch`. */
export function isArchitecture(arch: string): arch is Architecture {
  return Object.hasOwn(syscalls, arch)
}
