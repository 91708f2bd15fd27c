import { asRoot, inNamespace, onHost, type Probe } from "../support/probe.ts"

/** `ls` fails for what is not there, and lists the rest. */
const LIST_DEVICES =
  "ls /dev/vd* /dev/sd* /dev/nvme* /dev/kvm /dev/mem /dev/kmsg /dev/loop-control 2> /dev/null | grep . && echo ESCAPED"

/** Doors of the kernel, and of the machine. */
export const kernelProbes: readonly Probe[] = [
  {
    name: "unshare -Urm + umount",
    script: "unshare -Urm true && echo ESCAPED",
    says: /unshare failed: Operation not permitted/,
    control: { in: "host", shut: /uid_map/ },
  },
  {
    name: "unshare -n",
    script: "unshare -n true && echo ESCAPED",
    says: /unshare failed: Operation not permitted/,
    control: inNamespace,
  },
  {
    name: "clone3 NEWUSER",
    script: '"$PROBE" clone3',
    says: /clone3: Function not implemented/,
    control: onHost,
  },
  {
    name: "setns own",
    script: '"$PROBE" setns',
    says: /setns: Operation not permitted/,
    control: inNamespace,
  },
  {
    name: "chroot",
    script: "chroot / true && echo ESCAPED",
    says: /Operation not permitted/,
    control: inNamespace,
  },
  {
    name: "open_by_handle_at",
    script: '"$PROBE" handle',
    says: /name_to_handle_at: Operation not permitted/,
    control: { in: "root", shut: /open_by_handle_at: Operation not permitted/ },
  },
  {
    name: "open_tree (own)",
    script: '"$PROBE" open-tree',
    says: /open_tree: Operation not permitted/,
    control: inNamespace,
  },
  {
    name: "io_uring_setup",
    script: '"$PROBE" io-uring',
    says: /io_uring_setup: Operation not permitted/,
    control: onHost,
  },
  {
    name: "TIOCSTI",
    script: '"$PROBE" tiocsti',
    says: /TIOCSTI: Operation not permitted/,
    // Of others the host may take it, too.
    control: { in: "root", shut: /TIOCSTI: Input\/output error/ },
  },
  {
    name: "/dev/tty",
    script: "echo x > /dev/tty && echo ESCAPED",
    says: /No such device/,
    control: { in: "host", script: "script -qec 'echo x > /dev/tty && echo ESCAPED' /dev/null" },
  },
  {
    name: "keyctl",
    script: '"$PROBE" keyctl',
    says: /keyctl: Operation not permitted/,
    control: onHost,
  },
  { name: "bpf", script: '"$PROBE" bpf', says: /bpf: Operation not permitted/, control: asRoot },
  {
    name: "perf_event_open",
    script: '"$PROBE" perf',
    says: /perf_event_open: Operation not permitted/,
    control: asRoot,
  },
  {
    name: "userfaultfd",
    script: '"$PROBE" userfaultfd',
    says: /userfaultfd: Operation not permitted/,
    control: onHost,
  },
  {
    name: "core_pattern open for writing",
    script: '"$PROBE" open /proc/sys/kernel/core_pattern',
    says: /open: (Read-only file system|Permission denied)/,
    control: asRoot,
  },
  {
    name: "sysrq open for writing",
    script: '"$PROBE" open /proc/sysrq-trigger',
    says: /open: (Read-only file system|Permission denied|No such file or directory)/,
    control: { in: "namespace", shut: /Permission denied|Read-only|No such file/ },
  },
  {
    name: "files of /proc/sys that can be written (own)",
    script: '"$PROBE" writable /proc/sys',
    says: /^0 writable$/m,
    control: {
      in: "root",
      says: /^[1-9]\d* writable$/m,
      script: '"$PROBE" writable /proc/sys/kernel',
    },
  },
  {
    name: "files of /sys that can be written (own)",
    script: '"$PROBE" writable /sys/kernel',
    says: /^0 writable$/m,
    control: {
      in: "root",
      script: '"$PROBE" open /sys/kernel/profiling || "$PROBE" open /sys/kernel/mm/ksm/run',
    },
  },
  {
    name: "cgroup write (mkdir)",
    script:
      'for each in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/pids; do mkdir "$each/harness-escape" && rmdir "$each/harness-escape" && echo ESCAPED; done',
    says: /Read-only file system|Permission denied|No such file/,
    control: { in: "root", shut: /Read-only file system/ },
  },
  {
    name: "block device",
    script: `${LIST_DEVICES}; echo looked`,
    says: /^looked$/m,
    // A name for a disk and one for a ram disk, in a /dev that only this control sees.
    control: {
      in: "root",
      script: `unshare --mount sh -c 'mount -t tmpfs none /dev && mknod /dev/vdz b 7 0 && mknod /dev/sdz b 1 0 && ${LIST_DEVICES}'`,
      shut: /Operation not permitted/,
    },
  },
  {
    name: "host name (own)",
    script: '"$PROBE" hostname',
    says: /sethostname: Operation not permitted/,
    control: asRoot,
  },
  {
    name: "uid_map (own)",
    script: 'echo "0 0 1" > /proc/self/uid_map && echo ESCAPED',
    says: /Read-only file system|Operation not permitted|Permission denied/,
    // A map is written once, by whoever made the namespace.
    control: { in: "host", script: '"$PROBE" uid-map', shut: /unshare: / },
  },
  {
    name: "system calls of another interface (own)",
    script: '"$PROBE" x32; "$PROBE" int80; echo "ended with $?"',
    says: /x32: (Function not implemented|there is none here)(.|\n)*^ended with (159|1)$/m,
    control: { in: "host", shut: /there is none here/ },
  },
]
