import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { failure, type Permit } from "@harness/protocol"
import type { Namespaces, SandboxPolicy, SandboxProvider, Wrapped } from "@harness/sandbox"
import type { ProcessSpec } from "@harness/sdk"
import type { Command } from "../processes/spawn.ts"

/** How the commands of one worker are contained. */
export type WorkerSandbox = {
  provider: SandboxProvider
  /** What all of them have in common. */
  policy: Omit<SandboxPolicy, "cwd" | "env" | "network">
  /** Every command has the network, without leave. */
  network: boolean
}

export type WorkerSandboxOptions = Pick<WorkerSandbox, "provider" | "network"> & {
  root: string
  temp: string
  /** HARNESS_HOME. */
  harnessHome: string
  /** The user's own folder, which `~/` stands for. */
  userHome: string
  containment: {
    hide: readonly string[]
    show?: readonly string[]
    unix_sockets: boolean
    debuggers: boolean
  }
}

export function workerSandbox(options: WorkerSandboxOptions): WorkerSandbox {
  const { provider, root, temp, harnessHome, userHome, containment } = options
  const hidden = containment.hide.map(path => asUserWrote(path, userHome))
  return {
    provider,
    network: options.network || provider.name === "off",
    policy: {
      root,
      temp,
      home: realOr(userHome),
      hidden: [harnessHome, ...hidden].map(realOr),
      shown: (containment.show ?? []).map(path => asUserWrote(path, userHome)),
      unixSockets: containment.unix_sockets,
      debuggers: containment.debuggers,
    },
  }
}

/** Contains a harmless command. Throws `sandbox_unavailable` when that does not work. */
export async function assertContains(provider: SandboxProvider): Promise<void> {
  const probe = await provider.probe()
  if (probe.status === "works") return
  throw failure("sandbox_unavailable", { reason: probe.reason, hint: probe.hint })
}

/** Whether a command gets the network; undefined when it wants it and may not have it. */
export function networkFor(
  spec: ProcessSpec,
  { network }: WorkerSandbox,
  permits: readonly Permit[],
): boolean | undefined {
  if (network || spec.network !== true) return network
  return permits.includes("network") ? true : undefined
}

/** The command as the system is to start it. */
export function wrapped(
  { argv, tool, cwd, env }: Command,
  { provider, policy }: WorkerSandbox,
  allowed: {
    network: boolean
    controlled: readonly string[]
    neighbours: Namespaces | undefined
    alone: boolean
  },
): Wrapped {
  return provider.wrap(argv, { ...policy, tool, cwd, env, ...allowed })
}

function asUserWrote(path: string, userHome: string): string {
  return resolve(userHome, path.replace(/^~(?:\/|$)/, ""))
}

/** What is not there yet is hidden under its name, when it comes. */
function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
