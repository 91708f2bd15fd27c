import fc from "fast-check"
import { expect, test } from "vitest"
import { type FilterOptions, filter } from "../../src/seccomp/filter.ts"
import {
  type Architecture,
  auditArchitecture,
  type Syscall,
  syscalls,
} from "../../src/seccomp/syscalls.ts"
import { answerOf } from "../support/bpf.ts"

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x00050001
const ENOSYS = 0x00050026

const AF = { UNIX: 1, INET: 2, INET6: 10, NETLINK: 16, PACKET: 17, TIPC: 30, ALG: 38, VSOCK: 40 }
const SOCK = { STREAM: 1, DGRAM: 2, SEQPACKET: 5, CLOEXEC: 0o2000000, NONBLOCK: 0o4000 }

/** What is not simply refused: the filter looks at arguments, or answers otherwise. */
const lookedAt: readonly string[] = [
  ...["clone", "clone3", "ioctl", "socket", "socketpair"],
  ...["fchmod", "fchmodat", "fchmodat2", "mknodat", "openat", "openat2"],
]
const tracing: readonly Syscall[] = ["ptrace", "process_vm_readv", "process_vm_writev"]

const architectures: readonly Architecture[] = ["x64", "arm64"]
const strict = { unixSockets: false, debuggers: false }

function judge(options: FilterOptions, name: Syscall, ...args: number[]): number {
  const { architecture } = options
  return answerOf(filter(options), {
    architecture: auditArchitecture[architecture],
    number: syscalls[architecture][name],
    arguments: args,
  })
}

test.for(architectures)("on %s every call that containment stands on is refused", architecture => {
  const names = namesOf(architecture).filter(name => !lookedAt.includes(name))

  const answers = names.map(name => [name, judge({ architecture, ...strict }, name)])

  expect(answers).toEqual(names.map(name => [name, EPERM]))
})

test.for(architectures)("on %s a call that the filter does not name is allowed", architecture => {
  const program = filter({ architecture, ...strict })
  const named: number[] = Object.values(syscalls[architecture])

  fc.assert(
    fc.property(
      fc.nat({ max: 0x3fffffff }),
      fc.array(fc.nat(), { maxLength: 6 }),
      (number, args) => {
        fc.pre(!named.includes(number))
        const call = { architecture: auditArchitecture[architecture], number, arguments: args }
        expect(answerOf(program, call)).toBe(ALLOW)
      },
    ),
  )
})

test.for(architectures)("on %s a call by another architecture ends the process", architecture => {
  const program = filter({ architecture, ...strict })

  fc.assert(
    fc.property(fc.nat({ max: 0xffffffff }), fc.nat(), (other, number) => {
      fc.pre(other !== auditArchitecture[architecture])
      expect(answerOf(program, { architecture: other, number })).toBe(KILL)
    }),
  )
})

test("on x64 no call of the x32 interface exists", () => {
  const program = filter({ architecture: "x64", ...strict })

  fc.assert(
    fc.property(fc.integer({ min: 0x40000000, max: 0xffffffff }), number => {
      const call = { architecture: auditArchitecture.x64, number }
      expect(answerOf(program, call)).toBe(ENOSYS)
    }),
  )
})

test.for(architectures)(
  "on %s no namespace can be made by clone, and clone3 does not exist",
  architecture => {
    const options = { architecture, ...strict }
    const namespaces = [17, 25, 26, 27, 28, 29, 30].map(bit => 2 ** bit)
    const thread = 0x003d0f00

    expect(judge(options, "clone", thread)).toBe(ALLOW)
    expect(judge(options, "clone", 0x01200011)).toBe(ALLOW)
    expect(judge(options, "clone3")).toBe(ENOSYS)
    for (const bit of namespaces) expect(judge(options, "clone", thread + bit)).toBe(EPERM)
  },
)

test.for(architectures)("on %s nothing can be typed into a terminal", architecture => {
  const options = { architecture, ...strict }

  expect(judge(options, "ioctl", 3, 0x5412)).toBe(EPERM)
  expect(judge(options, "ioctl", 3, 0x541c)).toBe(EPERM)
  expect(judge(options, "ioctl", 3, 0x5413)).toBe(ALLOW)
})

test.for(architectures)(
  "on %s there are sockets of the internet, and pairs that stay connected",
  architecture => {
    const options = { architecture, ...strict }
    const { STREAM, DGRAM, SEQPACKET, CLOEXEC, NONBLOCK } = SOCK

    const families = Object.entries(AF).map(([name, family]) => [
      name,
      judge(options, "socket", family, STREAM),
    ])
    const pairs = [STREAM, STREAM | CLOEXEC | NONBLOCK, DGRAM, DGRAM | CLOEXEC, SEQPACKET].map(
      type => judge(options, "socketpair", AF.UNIX, type),
    )

    expect(Object.fromEntries(families)).toEqual({
      ...{ UNIX: EPERM, INET: ALLOW, INET6: ALLOW, NETLINK: ALLOW },
      ...{ PACKET: EPERM, TIPC: EPERM, ALG: EPERM, VSOCK: EPERM },
    })
    expect(pairs).toEqual([ALLOW, ALLOW, EPERM, EPERM, ALLOW])
    expect(judge(options, "socketpair", AF.TIPC, STREAM)).toBe(EPERM)
  },
)

test.for(architectures)(
  "on %s unix sockets of all types are there when they are asked for",
  architecture => {
    const options = { architecture, unixSockets: true, debuggers: false }

    expect(judge(options, "socket", AF.UNIX, SOCK.DGRAM)).toBe(ALLOW)
    expect(judge(options, "socketpair", AF.UNIX, SOCK.DGRAM)).toBe(ALLOW)
    expect(judge(options, "socket", AF.VSOCK, SOCK.STREAM)).toBe(EPERM)
  },
)

test.for(architectures)("on %s debuggers may trace, and nothing else more", architecture => {
  const more = namesOf(architecture).filter(name => {
    const [without, having] = [false, true].map(debuggers =>
      judge({ architecture, unixSockets: false, debuggers }, name),
    )
    return without !== having
  })

  expect(more.sort()).toEqual([...tracing].sort())
})

test.for(architectures)("on %s nobody makes a program that runs as its owner", architecture => {
  const options = { architecture, ...strict }
  const [AT_FDCWD, O_CREAT, O_TMPFILE, O_RDONLY] = [-100, 0o100, 0o20200000, 0]
  const path = 0x7f00

  expect(judge(options, "fchmod", 3, 0o4755)).toBe(EPERM)
  expect(judge(options, "fchmod", 3, 0o2755)).toBe(ALLOW)
  expect(judge(options, "fchmodat", AT_FDCWD, path, 0o104755)).toBe(EPERM)
  expect(judge(options, "fchmodat2", AT_FDCWD, path, 0o4000)).toBe(EPERM)
  expect(judge(options, "mknodat", AT_FDCWD, path, 0o104755)).toBe(EPERM)
  expect(judge(options, "openat", AT_FDCWD, path, O_CREAT, 0o4755)).toBe(EPERM)
  expect(judge(options, "openat", AT_FDCWD, path, O_TMPFILE, 0o4755)).toBe(EPERM)
  expect(judge(options, "openat", AT_FDCWD, path, O_CREAT, 0o644)).toBe(ALLOW)
  expect(judge(options, "openat", AT_FDCWD, path, O_RDONLY, 0o4755)).toBe(ALLOW)
  expect(judge(options, "openat2")).toBe(ENOSYS)
})

test("on x64 the older calls make no such program either", () => {
  const program = filter({ architecture: "x64", ...strict })
  const { chmod, creat, mknod, open } = syscalls.x64
  const answers = (mode: number) =>
    [
      [chmod, 0, mode],
      [creat, 0, mode],
      [mknod, 0, mode],
      [open, 0, 0o100, mode],
    ].map(([number = 0, ...args]) =>
      answerOf(program, { architecture: auditArchitecture.x64, number, arguments: args }),
    )

  expect(answers(0o4755)).toEqual([EPERM, EPERM, EPERM, EPERM])
  expect(answers(0o755)).toEqual([ALLOW, ALLOW, ALLOW, ALLOW])
})

test("a filter is small enough for the kernel, which takes 4,096 instructions", () => {
  for (const architecture of architectures) {
    const bytes = filter({ architecture, ...strict })
    expect(bytes.length % 8).toBe(0)
    expect(bytes.length / 8).toBeLessThan(200)
  }
})

function namesOf(architecture: Architecture): Syscall[] {
  return Object.keys(syscalls[architecture]).filter(name => isSyscall(name))
}

function isSyscall(name: string): name is Syscall {
  return Object.hasOwn(syscalls.arm64, name)
}
