import { failure } from "@harness/protocol"
import type { SandboxProvider } from "./provider.ts"

/** Where we have no mechanism, nothing runs; bubblewrap is what it would need. */
export function missing(platform: NodeJS.Platform): SandboxProvider {
  const reason = `there is no mechanism for ${platform} yet`
  const hint = "Use --sandbox off to run commands with your own authority."
  return {
    name: "bubblewrap",
    probe: async () => ({ status: "broken", mechanism: "bubblewrap", reason, hint }),
    wrap: () => {
      throw failure("sandbox_unavailable", { reason, hint })
    },
    started: () => ({ group: undefined, ended: false }),
  }
}
