import { allowedOnHost, asRoot, inNamespace, onHost, type Probe } from "../support/probe.ts"

const READ_ONLY = /Read-only file system/

/** Ways to write outside the root. */
export const fileProbes: readonly Probe[] = [
  {
    name: "write $HOME",
    script: 'echo x > "$OUT/written"',
    leaves: "$OUT/written",
    says: READ_ONLY,
    control: onHost,
  },
  {
    name: "write /etc",
    script: "echo x > /etc/harness-escape && echo ESCAPED",
    says: READ_ONLY,
    control: {
      in: "namespace",
      script: "mount -t tmpfs none /etc && echo x > /etc/harness-escape && echo ESCAPED",
    },
  },
  {
    name: "write ..",
    script: "echo x > ../written",
    leaves: "$ROOT/../written",
    says: READ_ONLY,
    control: onHost,
  },
  {
    name: "symlink out",
    script: 'ln -sfn "$OUT" out-link; echo x > out-link/written; rm -f out-link',
    leaves: "$OUT/written",
    says: READ_ONLY,
    control: onHost,
  },
  {
    name: "hardlink out file in",
    script: 'ln "$OUT/victim.txt" hard && echo ESCAPED; rm -f hard',
    says: /Invalid cross-device link|No such file/,
    control: onHost,
  },
  {
    name: "pre-existing hardlink",
    script: "echo changed >> linked-before && echo allowed",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "/proc/self/root write",
    script: 'echo x > "/proc/self/root$OUT/written"',
    leaves: "$OUT/written",
    says: READ_ONLY,
    control: onHost,
  },
  {
    name: "/proc/1/root write",
    script: 'echo x > "/proc/1/root$OUT/written"',
    leaves: "$OUT/written",
    says: /Permission denied|Read-only file system/,
    control: inNamespace,
  },
  {
    name: "/proc/1/cwd write",
    script: "echo x > /proc/1/cwd/../written",
    leaves: "$ROOT/../written",
    says: /Permission denied|Read-only file system/,
    control: inNamespace,
  },
  {
    name: "rename root dir",
    script: 'mv "$ROOT" "$ROOT-moved" && mv "$ROOT-moved" "$ROOT" && echo ESCAPED',
    says: /Read-only file system|Device or resource busy/,
    control: onHost,
  },
  {
    name: "memory file executed (own)",
    script: '"$PROBE" memfd "$OUT/written"',
    leaves: "$OUT/written",
    says: /Read-only file system|Directory nonexistent/,
    control: onHost,
  },
  {
    name: "set-user-ID program (own)",
    script:
      '"$PROBE" fchmod-suid own-suid; "$PROBE" open-suid own-suid-too; chmod 4755 own-suid; rm -f own-suid own-suid-too',
    says: /fchmod: Operation not permitted\nopen: Operation not permitted\nchmod: .*Operation not permitted/,
    control: onHost,
  },
  {
    name: "mount tmpfs",
    script: "mkdir -p m; mount -t tmpfs none m && echo ESCAPED; rmdir m",
    says: /permission denied|must be superuser/,
    control: inNamespace,
  },
  {
    name: "remount rw /",
    script: "mount -o remount,bind,rw / && echo ESCAPED",
    says: /permission denied|must be superuser/,
    control: inNamespace,
  },
  {
    name: "mknod",
    script: "mknod node b 254 0 && echo ESCAPED; rm -f node",
    says: /Operation not permitted/,
    control: asRoot,
  },
  {
    name: "suid bit gain",
    // As an ordinary user it asks for a password, and takes its time to refuse none.
    script: "timeout 0.3 su -c true root < /dev/null && echo ESCAPED",
    says: /su: |Password: /,
    control: asRoot,
  },
  {
    name: "disk fill root 64M",
    script: "dd if=/dev/zero of=fill bs=1M count=64 2> /dev/null && echo allowed; rm -f fill",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
]
