import { join } from "node:path"
import { expect, test } from "vitest"
import { seatbeltProfile } from "../../src/seatbelt/profile.ts"
import { policyFor } from "../support/policy.ts"

const root = "/Users/u/app"
const policy = policyFor({
  root,
  temp: "/private/var/folders/x/harness",
  home: "/Users/u",
  hidden: ["/Users/u/.harness"],
})

test("the whole profile of a command without network", async () => {
  await expect(seatbeltProfile(policy)).toMatchFileSnapshot("__snapshots__/profile.sb")
})

test("with the network it may use all of it, and ask for names", () => {
  const rules = added(seatbeltProfile({ ...policy, network: true }))

  expect(rules).toEqual([
    "(allow network*)",
    "(allow system-socket)",
    '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))',
    '(allow mach-lookup (global-name "com.apple.dnssd.service"))',
    '(allow mach-lookup (global-name "com.apple.trustd.agent"))',
  ])
})

test("unix sockets that are asked for lie in the temporary folder", () => {
  expect(added(seatbeltProfile({ ...policy, unixSockets: true }))).toEqual([
    "(allow system-socket (socket-domain AF_UNIX))",
    '(allow network* (subpath "/private/var/folders/x/harness"))',
  ])
})

test("a tool in a hidden folder may be read and run, and its folders looked at", () => {
  expect(added(seatbeltProfile({ ...policy, tool: "/Users/u/.harness/rg" }))).toEqual([
    '(allow file-read* process-exec* (literal "/Users/u/.harness/rg"))',
    '(allow file-read-metadata (literal "/Users/u/.harness") (literal "/Users/u") (literal "/Users"))',
  ])
})

test("debuggers that are asked for reach the processes of the same sandbox", () => {
  expect(added(seatbeltProfile({ ...policy, debuggers: true }))).toEqual([
    "(allow mach-priv-task-port (target same-sandbox))",
  ])
})

test("what is hidden in the root comes after the root, and a root in what is hidden after that", () => {
  const inside = placesOf(seatbeltProfile({ ...policy, hidden: [join(root, ".harness")] }))
  const around = placesOf(seatbeltProfile({ ...policy, hidden: ["/Users/u"] }))

  expect(inside.indexOf(`deny ${root}/.harness`)).toBeGreaterThan(inside.indexOf(`allow ${root}`))
  expect(around.indexOf(`allow ${root}`)).toBeGreaterThan(around.indexOf("deny /Users/u"))
})

test("what was found deeper is refused too, and the folders around it cannot be moved", () => {
  const rules = added(seatbeltProfile({ ...policy, controlled: [`${root}/lib/x/.git/config`] }))

  expect(rules).toEqual([
    `(deny file-write* (subpath "${root}/lib/x/.git/config"))`,
    ...["lib/x/.git", "lib/x", "lib"].map(
      path => `(deny file-write-unlink (literal "${root}/${path}"))`,
    ),
  ])
})

function added(profile: string): string[] {
  const without = seatbeltProfile(policy).split("\n")
  return profile.split("\n").filter(line => !without.includes(line))
}

/** The rules for a folder and all below it, in their order: `allow /a`. */
function placesOf(profile: string): string[] {
  return [...profile.matchAll(/^\((\w+) file-read\* .*\(subpath "(.*)"\)\)$/gm)].map(
    ([, verdict, path]) => `${verdict} ${path}`,
  )
}
