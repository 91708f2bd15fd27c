import { expect, test } from "vitest"
import { diagnose } from "../../src/bubblewrap/diagnosis.ts"

/** A machine with only these files. */
function machine(files: Record<string, string> = {}) {
  return (file: string) => files[file]
}

const uid = "bwrap: setting up uid map: Permission denied\n"
const failed = { outcome: "failed", message: uid } as const

test("without bwrap, the packages that bring it are named", () => {
  expect(diagnose({ outcome: "not_found" }, machine())).toEqual({
    reason: "bwrap was not found in PATH",
    hint: "Install it, on Debian and Ubuntu: sudo apt-get install bubblewrap (Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap), or use --sandbox off to run commands with your own authority.",
  })
})

test("an architecture without a filter is named", () => {
  expect(diagnose({ outcome: "unsupported", architecture: "riscv64" }, machine())).toEqual({
    reason: "there is no seccomp program for the architecture riscv64",
    hint: "Use an x64 or arm64 machine, or use --sandbox off to run commands with your own authority.",
  })
})

test.for([
  [
    "/proc/sys/kernel/unprivileged_userns_clone",
    "0\n",
    /are off for ordinary users/,
    /unprivileged_userns_clone=1/,
  ],
  [
    "/proc/sys/user/max_user_namespaces",
    "0\n",
    /user namespaces are off/,
    /max_user_namespaces=15000/,
  ],
  [
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "1\n",
    /AppArmor/,
    /apparmor_parser -r/,
  ],
] as const)(
  "where %s closes user namespaces, the command that opens them is said",
  ([file, text, reason, hint]) => {
    const diagnosis = diagnose(failed, machine({ [file]: text }))

    expect(diagnosis.reason).toMatch(reason)
    expect(diagnosis.reason).toContain("bwrap: setting up uid map: Permission denied")
    expect(diagnosis.hint).toMatch(hint)
  },
)

test.for([
  [{ "/.dockerenv": "" }],
  [{ "/run/.containerenv": "engine=podman" }],
  [{ "/proc/1/environ": "PATH=/bin\0container=lxc\0" }],
  [{ "/proc/1/cgroup": "0::/kubepods.slice/pod1\n" }],
])("in a container known by %j, its options are said", ([files]) => {
  const diagnosis = diagnose(failed, machine(files))

  expect(diagnosis.reason).toMatch(
    /^the container that harness runs in does not let bubblewrap work/,
  )
  expect(diagnosis.hint).toContain("--security-opt seccomp=unconfined")
})

test("a bwrap that does not know an option is too old", () => {
  const message = "bwrap: Unknown option --disable-userns\n"

  expect(diagnose({ outcome: "failed", message }, machine())).toEqual({
    reason: "bwrap is too old (bwrap: Unknown option --disable-userns)",
    hint: "Update bubblewrap to 0.8 or later, or use --sandbox off to run commands with your own authority.",
  })
})

test("in a sandbox that lets no other be made, that is said before anything else", () => {
  const message =
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n"

  const diagnosis = diagnose({ outcome: "failed", message }, machine({ "/.dockerenv": "" }))

  expect(diagnosis.reason).toMatch(/^no user namespace can be made here \(bwrap: Creating/)
  expect(diagnosis.hint).toContain("user.max_user_namespaces=15000")
})

test("any other failure is told in bubblewrap's own words", () => {
  expect(diagnose(failed, machine()).reason).toBe(
    "bubblewrap did not start: bwrap: setting up uid map: Permission denied",
  )
})

test("a sandbox that does not hold is said to be broken, not used", () => {
  const diagnosis = diagnose({ outcome: "leaks", what: "a command in it wrote outside" }, machine())

  expect(diagnosis.reason).toBe("bubblewrap started, but a command in it wrote outside")
})
