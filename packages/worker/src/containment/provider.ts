import { failure } from "@harness/protocol"
import type { SandboxProvider } from "@harness/sandbox"

/** The mechanism for a setting. Throws `sandbox_unavailable` where the platform has none. */
export async function providerFor(sandbox: "os" | "off"): Promise<SandboxProvider> {
  if (sandbox === "off") return off
  throw failure("sandbox_unavailable", {
    reason: "containment has not landed yet",
    hint: "pass --sandbox off to run commands with your own authority",
  })
}

export const off: SandboxProvider = {
  name: "off",
  probe: async () => ({ status: "works", mechanism: "off", version: "" }),
  wrap: (argv, { env, cwd }) => ({ argv, env, cwd, descriptors: [], reports: false }),
  started: () => ({ group: undefined, ended: true }),
}
