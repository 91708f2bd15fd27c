import { realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import { failure, isFailure, type ProjectInspection } from "@harness/protocol"
import { type ProjectSettings, parseProjectSettings } from "../config/project.ts"
import { usableFolder } from "../folder.ts"
import { readLock } from "../registry/lock.ts"
import type { RegistryOptions } from "../registry/options.ts"
import {
  type ProjectPackage,
  projectPackageState,
  readProjectPackages,
} from "../registry/project-packages.ts"
import { type ProjectContent, readProjectContent } from "./content.ts"
import { forgetTrust, rememberTrust, trustedContent } from "./trusted.ts"

/** What of a folder's `.harness/` counts. */
export type Project = {
  settings: ProjectSettings | null
  packages: readonly ProjectPackage[]
  /** Why nothing of it counts, as a sentence for people; null when it does, or is not there. */
  ignored: string | null
}

export const noProject: Project = { settings: null, packages: [], ignored: null }

type Options = Pick<RegistryOptions, "home" | "builtins">

/**
 * Reads what counts of a folder, by its real path: nothing until it was trusted as it is now. The
 * trust of a folder around it does not spread to it. Throws `trust_damaged`, and `config_invalid`
 * when a trusted configuration does not hold.
 */
export async function readProject(root: string, options: Options): Promise<Project> {
  const standing = await standingOf(root, options)
  if (standing.status !== "trusted") return { ...noProject, ignored: whyIgnored(root, standing) }

  const { content } = standing
  return {
    settings: await settingsOf(root, content),
    packages: packagesOf(content, options),
    ignored: null,
  }
}

/** Reads all that a folder would bring, trusted or not; none of its code runs. */
export async function inspectProject(folder: string, options: Options): Promise<ProjectInspection> {
  const root = await usableFolder(folder)
  const nothing = { folder: root, reason: null, content: null, config: [], packages: [] }
  const standing = await standingOf(root, options)
  if (standing.status === "none") return { ...nothing, status: "none" }
  if (standing.status === "unusable") return { ...nothing, ...standing }

  const { status, content } = standing
  try {
    const settings = await settingsOf(root, content)
    const packages = packagesOf(content, options).map(projectPackageState)
    const config = settings?.values ?? []
    return { folder: root, status, reason: null, content: content.sha256, config, packages }
  } catch (error) {
    if (!isFailure(error, "config_invalid")) throw error
    return { ...nothing, status: "unusable", reason: error.message.replace(/\.$/, "") }
  }
}

/** Trusts what was shown; `project_changed` when it is something else by now. */
export async function trustProject(
  { folder, content }: { folder: string; content: string },
  options: Options,
): Promise<{ folder: string; changed: boolean }> {
  const found = await inspectProject(folder, options)
  const { folder: root, reason } = found
  if (found.status === "unusable") {
    throw failure("project_unusable", { folder: root, reason: reason ?? "" })
  }
  if (found.content !== content) throw failure("project_changed", { folder: root })
  return { folder: root, changed: await rememberTrust(options.home, root, content) }
}

/** A folder that is gone can still be forgotten. */
export async function withdrawTrust(
  folder: string,
  { home }: Options,
): Promise<{ folder: string; changed: boolean }> {
  const root = await realpath(folder).catch(() => resolve(folder))
  return { folder: root, changed: await forgetTrust(home, root) }
}

type Found = Extract<ProjectContent, { status: "found" }>

type Standing =
  | Exclude<ProjectContent, Found>
  | { status: "untrusted" | "changed"; content: Found }
  | { status: "trusted"; content: Found }

async function standingOf(root: string, { home }: Options): Promise<Standing> {
  const content = readProjectContent(root, home)
  if (content.status !== "found") return content

  const trusted = await trustedContent(home, root)
  if (trusted === undefined) return { status: "untrusted", content }
  return { status: trusted === content.sha256 ? "trusted" : "changed", content }
}

async function settingsOf(root: string, { config }: Found): Promise<ProjectSettings | null> {
  if (config === null) return null
  return parseProjectSettings(join(root, ".harness", "config.jsonc"), config)
}

function packagesOf({ packages }: Found, { home, builtins }: Options): ProjectPackage[] {
  if (packages.length === 0) return []
  return readProjectPackages(packages, { lock: readLock(home), builtins })
}

function whyIgnored(
  root: string,
  standing: Exclude<Standing, { status: "trusted" }>,
): string | null {
  const ignored = ".harness/ of this folder is ignored"
  switch (standing.status) {
    case "none":
      return null
    case "unusable":
      return `${ignored}: ${standing.reason}`
    case "untrusted":
      return `${ignored}: trust it with ${trustCommand(root)}`
    case "changed":
      return `${ignored}, for it changed since it was trusted: look at it with ${trustCommand(root)}`
  }
}

function trustCommand(root: string): string {
  return `harness trust ${shellWord(root)}`
}

/** A path that can be pasted after a command. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
