import { createHash } from "node:crypto"
import { readFile, realpath } from "node:fs/promises"
import { failure, type PackageInspection, type PackageSource } from "@harness/protocol"
import * as z from "zod"
import { errnoOf, inWords } from "../config/errno.ts"
import { keyPath } from "../config/key-path.ts"
import { checkInstalled } from "./installed.ts"
import { type LockedPackage, readLock } from "./lock.ts"
import { findModules } from "./modules.ts"
import { packFolder, readManifest } from "./npm.ts"
import type { RegistryOptions } from "./options.ts"
import { type PackageFields, parsePackage, type ReadPackage, readPackage } from "./package.ts"
import { type Wanted, wantedBy } from "./spec.ts"

/** A package that could be installed: what it says of itself, and from where its files come. */
export type Candidate = {
  inspection: PackageInspection
  package: PackageFields
  /** A link's folder, by its real path. */
  folder?: string
  /** The files of a folder or a tarball; those of a registry's package are fetched. */
  tarball?: Buffer
}

/** Reads what a spec stands for. Nothing lands in the home and none of the package's code runs. */
export async function examine(
  spec: string,
  { link }: { link: boolean },
  options: RegistryOptions,
): Promise<Candidate> {
  const wanted = await wantedBy(spec, options.checkout)
  if (!link) return examineCopy(spec, wanted, options)
  if (wanted.type === "folder") return examineLink(spec, wanted.path, options)

  const reason = `${spec} is not a folder, and only a folder can be linked`
  throw failure("option_invalid", { option: "--link", value: spec, reason, command: "install" })
}

/** True when the lock has exactly this and it still holds. */
export function isInstalled(
  home: string,
  { name, source, integrity }: Omit<PackageInspection, "installed">,
  folder: string | undefined,
): boolean {
  const { packages } = readLock(home)
  const locked = Object.hasOwn(packages, name) ? packages[name] : undefined
  if (locked === undefined || !isSame(locked, source, integrity)) return false

  const found = checkInstalled(home, name, locked)
  return found.status === "ok" && (folder === undefined || found.folder === folder)
}

async function examineLink(
  spec: string,
  path: string,
  options: RegistryOptions,
): Promise<Candidate> {
  const folder = await realpath(path)
  const fields = accepted(spec, readPackage(folder))
  const modules = findModules(folder, fields, true)
  if (modules.status === "invalid") throw invalid(spec, modules.reason)

  const source = { type: "link" as const, path: folder }
  return { ...candidate(fields, source, null, options, folder), folder }
}

async function examineCopy(
  spec: string,
  wanted: Wanted,
  options: RegistryOptions,
): Promise<Candidate> {
  const { env } = options

  if (wanted.type === "folder") {
    const fields = accepted(spec, readPackage(wanted.path))
    refuseUnpackable(spec, wanted.path, fields)
    const tarball = await packFolder(wanted.path, env)
    return { ...candidate(fields, wanted, integrityOf(tarball), options), tarball }
  }

  if (wanted.type === "tarball") {
    const tarball = await readFile(wanted.path).catch(error => {
      throw failure("package_not_found", { source: spec, reason: inWords(error) }, { cause: error })
    })
    const content = await readManifest(`file:${wanted.path}`, env).catch(error => {
      throw invalid(spec, `it is not a tarball of a package: ${inWords(error)}`, error)
    })
    const fields = accepted(spec, parsePackage(content))
    return { ...candidate(fields, wanted, integrityOf(tarball), options), tarball }
  }

  const content = await readManifest(wanted.spec, env).catch(error => {
    throw fetchFailure(spec, error)
  })
  const fields = accepted(spec, parsePackage(content))
  const { _integrity: integrity } = RegistryManifest.parse(content)
  return candidate(fields, wanted, integrity, options)
}

const RegistryManifest = z.looseObject({ _integrity: z.string().nullable().default(null) })

/** A failure to fetch, as the user can act on it. */
export function fetchFailure(spec: string, error: unknown) {
  const code = errnoOf(error) ?? ""
  if (["E404", "ETARGET", "ENOVERSIONS"].includes(code)) {
    const reason = code === "E404" ? "no registry has it" : "it has no such version"
    return failure("package_not_found", { source: spec, reason }, { cause: error })
  }
  const hint = unreachable.has(code)
    ? "Check the network and the proxy settings, then repeat."
    : "Nothing was changed; repeat the command, or install another version."
  return failure("install_failed", { name: spec, reason: inWords(error), hint }, { cause: error })
}

const unreachable = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "ERR_SOCKET_TIMEOUT",
  "ENETUNREACH",
])

function candidate(
  fields: PackageFields,
  source: PackageSource,
  integrity: string | null,
  { home }: RegistryOptions,
  folder?: string,
): Candidate {
  const { name, version, manifest } = fields
  const known = { name, version, source, manifest, integrity }
  const installed = isInstalled(home, known, folder)
  return { inspection: { ...known, installed }, package: fields }
}

function isSame(locked: LockedPackage, source: PackageSource, integrity: string | null): boolean {
  if (source.type === "link") return locked.source.type === "link"
  return integrity !== null && locked.integrity === integrity
}

function accepted(spec: string, read: ReadPackage): PackageFields {
  if (read.status === "ok") return read.package
  throw invalid(spec, read.reason)
}

/** What would fail later, or be installed and not run, told before anything is packed. */
function refuseUnpackable(spec: string, folder: string, fields: PackageFields): void {
  const modules = findModules(folder, fields, false)
  if (modules.status === "invalid") throw invalid(spec, modules.reason)

  const { dependencies = {}, optionalDependencies = {} } = Dependencies.parse(fields.fields)
  for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    if (!/^(?:workspace|catalog|link|portal):/.test(range)) continue
    const where = keyPath(["dependencies", name])
    throw invalid(spec, `${where} is "${range}", which only its checkout can resolve: use --link`)
  }
}

const Ranges = z.record(z.string(), z.string()).optional()
const Dependencies = z.looseObject({ dependencies: Ranges, optionalDependencies: Ranges })

function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash("sha512").update(tarball).digest("base64")}`
}

function invalid(source: string, reason: string, cause?: unknown) {
  return failure("package_invalid", { source, reason }, { cause })
}
