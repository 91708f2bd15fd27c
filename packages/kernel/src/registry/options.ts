import type { Capability, Manifest } from "@harness/protocol"
import type { Environment } from "../config/home.ts"
import type { ProjectPackage } from "./project-packages.ts"

/** A package that ships with the program: it is there without being installed. */
export type BuiltinPackage = {
  name: string
  version: string
  manifest: Manifest
  /** The file URL of each module that the manifest names, by its subpath. */
  modules: Readonly<Record<string, string>>
}

export type RegistryOptions = {
  /** HARNESS_HOME, absolute. Created at the first installation. */
  home: string
  /** A package installed under the same name goes before the builtin one. */
  builtins: readonly BuiltinPackage[]
  /** `@harness/*` specifiers and the file URLs of the host's copies, which every package shares. */
  hosted: Readonly<Record<string, string>>
  /** The checkout's root when the program runs from one: short names are looked up there first. */
  checkout?: string
  /** What a trusted folder brings, besides what is installed. */
  project?: readonly ProjectPackage[]
  /** `npm_config_registry` and `npm_config_cache` are heeded. */
  env: Environment
}

/** What a person agreed to: the name, the version and the capabilities of an inspection. */
export type Consent = { name: string; version: string; capabilities: readonly Capability[] }
