import { readFileSync } from "node:fs"
import { failure } from "@harness/protocol"
import { hiddenPlaces } from "../hidden.ts"
import { isWithin } from "../paths.ts"
import type { SandboxPolicy, SandboxProvider, Started, Wrapped } from "../provider.ts"
import { type FilterStore, filterStore } from "../seccomp/store.ts"
import { isArchitecture } from "../seccomp/syscalls.ts"
import { bubblewrapArguments } from "./arguments.ts"
import { type Mount, mountsOf } from "./mounts.ts"
import { inNetwork, newNetworkArguments } from "./network.ts"
import { greetingBy, identityOf, LAUNCHER, launchLine, mountsSeenBy } from "./prepared.ts"
import { probeBubblewrap } from "./probe.ts"
import { findBubblewrap, findTrusted } from "./program.ts"
import { verified } from "./verification.ts"

export type BubblewrapOptions = {
  /** As `process.arch`. */
  arch: string
  /** Of harness itself: bwrap is searched in it, and programs that lie below /tmp or /run. */
  searchPath: string
  /** Private, and out of every command's reach: holds the programs of seccomp. Made when needed. */
  folder: string
  /** Folders that commands write: a bwrap in them is not used. */
  distrusted: readonly string[]
}

/** Descriptors of the wrapper, in the order of `Wrapped`. */
const SECCOMP = 3
const ARGUMENTS = 4
const REPORT = 5
/** Where a prepared sandbox says that it waits. */
const WAITS = 6
/** Of one that gets nothing else. */
const FIRST = 3

/** Contains commands of Linux with bubblewrap and a program of seccomp. */
export function bubblewrap(options: BubblewrapOptions): SandboxProvider {
  const { arch, searchPath, folder, distrusted } = options
  const program = findBubblewrap(searchPath, distrusted)
  const nsenter = findTrusted("nsenter", searchPath, distrusted)

  /** `argv` in the sandbox of a policy, `looking` at its mounts first or not. */
  const contained = (
    { argv, env }: { argv: readonly string[]; env: SandboxPolicy["env"] },
    policy: SandboxPolicy,
    { mounts, filterFile }: { mounts: readonly Mount[]; filterFile: FilterStore },
  ): Wrapped => {
    if (program === undefined) throw unavailable("bwrap was not found in PATH")
    if (!isArchitecture(arch)) throw unavailable(`there is no seccomp program for ${arch}`)

    const { network, cwd, debuggers } = policy
    const neighbours = network ? undefined : policy.neighbours
    if (neighbours !== undefined && nsenter === undefined) throw unavailable("nsenter is gone")
    const unixSockets = policy.unixSockets && !network
    const args = bubblewrapArguments({
      mounts,
      // A network that was entered already is not to be left for a new one.
      ...{ network: network || neighbours !== undefined },
      ...{ cwd, env, seccomp: SECCOMP, report: REPORT },
    })
    const command = [program, "--args", `${ARGUMENTS}`, "--", ...argv]
    return {
      argv:
        neighbours === undefined || nsenter === undefined
          ? command
          : inNetwork(nsenter, neighbours, command),
      env: {},
      cwd: "/",
      descriptors: [filterFile({ architecture: arch, unixSockets, debuggers })],
      input: inFile(args),
      reports: true,
    }
  }

  const wrapping =
    (filterFile: FilterStore): SandboxProvider["wrap"] =>
    (argv, policy) => {
      refuseFolders(policy)
      const mounts = mountsOf({ policy, searchPath })
      const command = { argv, env: policy.env }
      const started = policy.alone ? command : verified(command, mounts, hostMounts())
      return contained(started, policy, { mounts, filterFile })
    }

  const filterFile = filterStore(folder)
  return {
    name: "bubblewrap",
    probe: () =>
      probeBubblewrap({
        program,
        architecture: { name: arch, supported: isArchitecture(arch) },
        wrapIn: scratch => wrapping(filterStore(scratch)),
      }),
    wrap: wrapping(filterFile),
    prepare(policy) {
      refuseFolders(policy)
      const mounts = mountsOf({ policy, searchPath })
      const waiting = { argv: LAUNCHER, env: policy.env }
      const wrapped = contained(waiting, policy, { mounts, filterFile })
      return {
        wrapped,
        greeting: greetingBy(WAITS),
        identity: identityOf(wrapped, mounts, policy.cwd),
        state: report => mountsSeenBy(reported(report).group),
      }
    },
    lineFor: launchLine,
    newNetwork() {
      if (program === undefined || nsenter === undefined) return undefined
      const argv = newNetworkArguments(program, FIRST)
      return { argv, env: {}, cwd: "/", descriptors: [], reports: true }
    },
    started: reported,
  }
}

/** As `--args` reads them. A variable with such a byte would say the rest as an argument of its own. */
function inFile(args: readonly string[]): string {
  if (args.some(each => each.includes("\0"))) {
    throw new Error("the command's environment must be without null bytes")
  }
  return args.map(each => `${each}\0`).join("")
}

/** `{ "child-pid": 42, … }` when it is there, and `{ "exit-code": 0 }` when the command has ended. */
function reported(report: string): Started {
  const pid = /"child-pid": (\d+)/.exec(report)?.[1]
  return {
    group: pid === undefined ? undefined : Number(pid),
    ended: /"exit-code": \d+/.test(report),
  }
}

/** Some are the kernel's own controls; one that is hidden would be an empty project. */
function refuseFolders(policy: SandboxPolicy): void {
  const hidden = new Set(hiddenPlaces(policy).map(place => place.path))
  for (const path of [policy.root, policy.temp]) {
    const inDevices = isWithin(path, "/dev") && !isWithin(path, "/dev/shm")
    if (path === "/" || inDevices || isWithin(path, "/proc") || isWithin(path, "/sys")) {
      throw unavailable(`${path} may not be written by commands`, "Work in a folder of your own.")
    }
    if (hidden.has(path)) {
      throw unavailable(
        `${path} is hidden from commands`,
        "Work in another folder, or take it out of containment.hide.",
      )
    }
  }
}

function hostMounts(): string {
  return readFileSync("/proc/self/mountinfo", "utf8")
}

function unavailable(reason: string, hint = "Run harness doctor.") {
  return failure("sandbox_unavailable", { reason, hint })
}
