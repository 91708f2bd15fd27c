import type { SandboxPolicy } from "../../src/provider.ts"

/** A policy that allows the least; the folders need not exist. */
export function policyFor(given: Partial<SandboxPolicy> & { root: string }): SandboxPolicy {
  return {
    temp: "/nowhere/temp",
    cwd: given.root,
    home: "/nowhere/home",
    env: {},
    hidden: [],
    network: false,
    unixSockets: false,
    debuggers: false,
    ...given,
  }
}
