import { expect, test } from "vitest"
import { hintFor } from "../../src/containment/hints.ts"

const network = "the network is off for commands: ask with `network`, or run with --network"
const readOnly = "only the project folder and $TMPDIR can be written"
const sockets =
  "unix sockets are off for commands: `containment.unix_sockets` in config.jsonc lets them"
const temporary = "each command has an empty /tmp of its own: what is to last belongs into $TMPDIR"
const lasting = ["/tmp/harness-1", "/tmp/project"]
const controls =
  "files that make the host run code are read-only for commands: edit them with file actions"
const nothing = { lasting, network: false, unixSockets: false }

test.each([
  ["npm error code EAI_AGAIN\nnpm error syscall getaddrinfo", network],
  ["curl: (6) Could not resolve host: example.org", network],
  ["fatal: unable to access 'https://example.org/': Could not resolve host: example.org", network],
  ["wget: unable to resolve host address 'example.org'", network],
  ["ping: example.org: Temporary failure in name resolution", network],
  ["socket.gaierror: [Errno -2] Name or service not known", network],
  ["connect: Network is unreachable", network],
  ["Error: connect ECONNREFUSED 203.0.113.7:443", network],
  ["Error: connect ECONNREFUSED 127.0.0.1:5432", undefined],
  ["dial tcp: lookup proxy.example.org: no such host", network],
  ["touch: cannot touch '/etc/x': Read-only file system", readOnly],
  ["Error: EROFS: read-only file system, open '/etc/x'", readOnly],
  ["Error: listen EPERM: operation not permitted /tmp/tsx-0/8.pipe", sockets],
  ["error: could not write config file .git/config: Device or resource busy", controls],
  ["OSError: [Errno 30] Read-only file system: '.git/hooks/pre-commit'", controls],
  ["rm: cannot remove '/srv/app/.git': Device or resource busy", controls],
  ["umount: /mnt: device or resource busy", undefined],
  ["cat: /tmp/left: No such file or directory", temporary],
  ["ENOENT: no such file or directory, open '/tmp/left/a.json'", temporary],
  ["cat: /tmp/harness-1/left: No such file or directory", undefined],
  ["cat: /tmp/project/left: No such file or directory", undefined],
  ["cat: tmp/left: No such file or directory", undefined],
  ["sh: 1: nosuch: not found", undefined],
  ["", undefined],
])("the hint for %j names what containment holds back", (output, hint) => {
  expect(hintFor({ output, ...nothing })).toBe(hint)
})

test("what a command has is no hint", () => {
  expect(
    hintFor({ output: "EAI_AGAIN", lasting, network: true, unixSockets: false }),
  ).toBeUndefined()
  const output = "listen EPERM: operation not permitted /tmp/a.sock"
  expect(hintFor({ output, lasting, network: true, unixSockets: true })).toBeUndefined()
})

test("only the end of a long output is looked at", () => {
  const output = `EAI_AGAIN\n${"x".repeat(3_000)}`
  expect(hintFor({ output, ...nothing })).toBeUndefined()
})
