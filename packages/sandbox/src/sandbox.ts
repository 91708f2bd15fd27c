import { bubblewrap } from "./bubblewrap/provider.ts"
import { missing } from "./missing.ts"
import { off } from "./off.ts"
import type { SandboxProvider } from "./provider.ts"
import { seatbelt } from "./seatbelt/provider.ts"

export type SandboxOptions = {
  /** As `process.platform` and `process.arch`. */
  platform: NodeJS.Platform
  arch: string
  /**
   * PATH of harness itself: bwrap is searched in it, and its folders below /tmp and /run are shown to
   * commands, which get fresh ones otherwise.
   */
  searchPath: string
  /** Private, and hidden from commands, e.g. in HARNESS_HOME; made when something is to be kept. */
  folder: string
  /** The folders that commands write: a bwrap in them is not used. */
  distrusted: readonly string[]
}

/**
 * The mechanism that contains commands on this machine. It may not work here: see `probe`.
 *
 * @example
 * const { platform, arch, env } = process
 * const provider = sandboxFor("os", {
 *   ...{ platform, arch, searchPath: env.PATH ?? "" },
 *   ...{ folder: join(home, "sandbox"), distrusted: [root, temp] },
 * })
 * const { argv, descriptors } = provider.wrap(["make", "test"], policy)
 */
export function sandboxFor(setting: "os" | "off", options: SandboxOptions): SandboxProvider {
  if (setting === "off") return off()
  switch (options.platform) {
    case "linux":
      return bubblewrap(options)
    case "darwin":
      return seatbelt()
    default:
      return missing(options.platform)
  }
}
