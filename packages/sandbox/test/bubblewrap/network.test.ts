import { chmodSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { bubblewrap } from "../../src/bubblewrap/provider.ts"
import { folderWith } from "../support/folder.ts"
import { policyFor } from "../support/policy.ts"

const neighbours = { user: "/proc/7/fd/20", network: "/proc/7/fd/21" }

function providerWith(...programs: string[]) {
  const folder = folderWith(Object.fromEntries(programs.map(name => [`bin/${name}`, ""])))
  for (const name of programs) chmodSync(join(folder, "bin", name), 0o755)
  const searchPath = join(folder, "bin")
  const root = join(folder, "root")
  const options = { arch: "x64", searchPath, distrusted: [], folder: join(folder, "filters") }
  return { provider: bubblewrap(options), policy: policyFor({ root }), searchPath }
}

test("a command of neighbours enters their network first, and makes none of its own", () => {
  const { provider, policy, searchPath } = providerWith("bwrap", "nsenter")
  const own = provider.wrap(["make"], { ...policy, alone: true })
  const shared = provider.wrap(["make"], { ...policy, alone: true, neighbours })

  expect(own.input).toContain("\0--unshare-net\0")
  expect(shared).toEqual({
    ...own,
    argv: [
      join(searchPath, "nsenter"),
      "--user=/proc/7/fd/20",
      "--net=/proc/7/fd/21",
      "--preserve-credentials",
      "--",
      ...own.argv,
    ],
    input: own.input?.replace("--unshare-net\0", ""),
  })
})

test("a command with the host's network has no neighbours", () => {
  const { provider, policy } = providerWith("bwrap", "nsenter")
  const network = { ...policy, network: true }
  expect(provider.wrap(["make"], { ...network, neighbours })).toEqual(
    provider.wrap(["make"], network),
  )
})

test("a network is made by a shell that waits, without capabilities and with nothing to write", () => {
  const { provider, searchPath } = providerWith("bwrap", "nsenter")
  expect(provider.newNetwork?.()).toEqual({
    argv: [
      join(searchPath, "bwrap"),
      "--unshare-user",
      "--unshare-net",
      "--die-with-parent",
      "--new-session",
      ...["--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/"],
      ...["--json-status-fd", "3"],
      "--",
      ...["/bin/sh", "-c", "echo up; read -r _"],
    ],
    env: {},
    cwd: "/",
    descriptors: [],
    reports: true,
  })
})

test("without nsenter there is no network to share, and what was shared cannot be entered", () => {
  const { provider, policy } = providerWith("bwrap")
  expect(provider.newNetwork?.()).toBeUndefined()
  expect(() => provider.wrap(["make"], { ...policy, neighbours })).toThrow(/nsenter is gone/)
})
