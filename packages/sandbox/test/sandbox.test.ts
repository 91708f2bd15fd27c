import { join } from "node:path"
import { isFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { sandboxFor } from "../src/sandbox.ts"
import { folderWith } from "./support/folder.ts"
import { policyFor } from "./support/policy.ts"

const options = { arch: "x64", searchPath: "", distrusted: [] }
const unavailable = expect.toSatisfy(error => isFailure(error, "sandbox_unavailable"))

test("off starts the command as it is", async () => {
  const provider = sandboxFor("off", { ...options, platform: "linux", folder: "/nowhere" })
  const policy = policyFor({ root: "/app", env: { PATH: "/bin" } })

  expect(await provider.probe()).toEqual({ status: "works", mechanism: "off", version: "" })
  expect(provider.wrap(["make"], policy)).toEqual({
    argv: ["make"],
    env: { PATH: "/bin" },
    cwd: "/app",
    descriptors: [],
    reports: false,
  })
})

test("on macOS the command starts under sandbox-exec, with its own environment", () => {
  const provider = sandboxFor("os", { ...options, platform: "darwin", folder: "/nowhere" })

  const wrapped = provider.wrap(["make"], policyFor({ root: "/app", env: { PATH: "/bin" } }))

  expect(wrapped).toEqual({
    argv: ["/usr/bin/sandbox-exec", "-p", expect.stringMatching(/^\(version 1\)\n/), "make"],
    env: { PATH: "/bin" },
    cwd: "/app",
    descriptors: [],
    reports: false,
  })
})

test("where there is no mechanism, the probe says so and nothing is wrapped", async () => {
  const provider = sandboxFor("os", { ...options, platform: "win32", folder: "/nowhere" })

  expect(await provider.probe()).toEqual({
    status: "broken",
    mechanism: "bubblewrap",
    reason: "there is no mechanism for win32 yet",
    hint: "Use --sandbox off to run commands with your own authority.",
  })
  expect(() => provider.wrap(["make"], policyFor({ root: "/app" }))).toThrow(unavailable)
})

test("without bwrap, the probe says so and nothing is wrapped", async () => {
  const provider = sandboxFor("os", { ...options, platform: "linux", folder: folderWith() })

  expect(await provider.probe()).toMatchObject({
    status: "broken",
    mechanism: "bubblewrap",
    reason: "bwrap was not found in PATH",
  })
  expect(() => provider.wrap(["make"], policyFor({ root: "/app" }))).toThrow(unavailable)
})

test("a root that is the system's own, or hidden from commands, is refused", () => {
  const home = folderWith({ ".ssh": null })
  const provider = sandboxFor("os", {
    ...options,
    platform: "linux",
    folder: folderWith(),
    searchPath: process.env.PATH ?? "",
  })

  for (const root of ["/", "/proc", "/sys/kernel", "/dev", join(home, ".ssh")]) {
    expect(() => provider.wrap(["make"], policyFor({ root, home }))).toThrow(unavailable)
  }
})

test("a command's variables reach it alone: not bubblewrap, and not the shell that looks at its mounts", () => {
  const root = folderWith()
  const searchPath = process.env.PATH ?? ""
  const folder = folderWith()
  const provider = sandboxFor("os", { ...options, platform: "linux", folder, searchPath })
  const policy = policyFor({ root, env: { LD_PRELOAD: "/app/evil.so" } })

  const alone = provider.wrap(["make", "a"], { ...policy, alone: true })
  const beside = provider.wrap(["make", "a"], policy)

  expect(alone).toMatchObject({ env: {}, cwd: "/", reports: true })
  expect(alone.argv).toEqual([expect.stringMatching(/\/bwrap$/), "--args", "4", "--", "make", "a"])
  expect(lastOf(alone.input)).toEqual([
    ...["--clearenv", "--setenv", "LD_PRELOAD", "/app/evil.so"],
    ...["--json-status-fd", "5", "--seccomp", "3"],
  ])
  expect(beside).toMatchObject({ env: {}, cwd: "/", reports: true })
  expect(beside.argv.slice(1)).toEqual([
    ...["--args", "4", "--", "/bin/sh", "-c", expect.stringContaining("/proc/self/mountinfo")],
    ...["sh", expect.stringContaining(` ${root}|`), "make", "a"],
  ])
  expect(lastOf(beside.input)).toEqual([
    ...["--clearenv", "--setenv", "harness_variables", "export LD_PRELOAD='/app/evil.so'\n"],
    ...["--json-status-fd", "5", "--seccomp", "3"],
  ])
})

test("a variable with a null byte is refused: what follows it would be an argument of the sandbox", () => {
  const searchPath = process.env.PATH ?? ""
  const provider = sandboxFor("os", {
    ...options,
    ...{ platform: "linux", folder: folderWith(), searchPath },
  })
  const root = folderWith()
  const env = { A: "a\0--bind\0/\0/" }

  for (const alone of [true, false]) {
    expect(() => provider.wrap(["make"], policyFor({ root, env, alone }))).toThrow("null bytes")
  }
})

test("what bubblewrap started is read from its report, half written or whole", () => {
  const provider = sandboxFor("os", { ...options, platform: "linux", folder: "/nowhere" })
  const started = '{ "child-pid": 41, "net-namespace": 4026532183 }\n'

  expect(['{ "chi', started, `${started}{ "exit-code": 3 }\n`].map(provider.started)).toEqual([
    { group: undefined, ended: false },
    { group: 41, ended: false },
    { group: 41, ended: true },
  ])
})

/** The arguments in a file that begin with the command's variables. */
function lastOf(input = ""): string[] {
  const args = input.split("\0").slice(0, -1)
  return args.slice(args.indexOf("--clearenv"))
}
