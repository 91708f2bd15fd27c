import type { Config, ConversationEvent, Rule } from "@harness/protocol"
import type { LocalLog } from "./logs/local-log.ts"
import type { BuiltinPackage, Registry } from "./registry/registry.ts"
import type { Leases } from "./scheduler/leases.ts"

/** What the composition root gives the kernel: no part of it finds these by itself. */
export type KernelOptions = {
  /** HARNESS_HOME, absolute. */
  home: string
  /** The controller's environment: keys are read from it by providers and go nowhere else. */
  env: Readonly<Record<string, string | undefined>>
  /** Packages that ship with the program. */
  builtins: readonly BuiltinPackage[]
  /** `@harness/*` specifiers and the file URLs of the host's copies. */
  hosted: Readonly<Record<string, string>>
  /** The checkout's root when the program runs from one. */
  checkout?: string
  /**
   * The worker's entry, a file path, and the flags of its Node; and the file URL of the module with
   * the kind that restores files.
   */
  worker: { entry: string; nodeFlags: readonly string[]; restore: string }
  /** The entry of the process that asks the system's keychain, a file path, and the flags of its Node. */
  keychain: { entry: string; nodeFlags: readonly string[] }
  version: string
  /** This machine's own log of faults. */
  log: LocalLog
  /** Milliseconds since the epoch. */
  clock: () => number
  /** A monotonic clock in milliseconds. */
  now: () => number
  /** New ids: 12 lower-case hexadecimal digits, never the same twice. */
  ids: () => string
  /** Random hexadecimal of that many bytes, for keys and tags. */
  random: (bytes: number) => string
}

/** What a conversation is opened with: the same, and what the kernel has made of it. */
export type OpenContext = KernelOptions & {
  config: Config
  /** Where a value of `config.jsonc` stands: providers judge their own part of it. */
  lineOf: (path: readonly string[]) => number | undefined
  /** What the folder's own `.harness/` has to say besides values; nothing until it is trusted. */
  project: { rules: readonly Rule[]; ignored: string | null }
  registry: Registry
  leases: Leases
  tell: (conversation: string, event: ConversationEvent) => void
}
