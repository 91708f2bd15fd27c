import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Manifest, PackageJson } from "@harness/protocol"
import type { DefinitionType } from "@harness/sdk"
import * as z from "zod"
import { inWords } from "../config/errno.ts"
import { keyPath } from "../config/key-path.ts"

/** What a package.json says, as far as harness reads it. */
export type PackageFields = {
  name: string
  version: string
  manifest: Manifest
  /** All of it, as it stands: for `exports` and the dependencies. */
  fields: PackageJson
}

/** A package.json that holds, or the reason why it does not. */
export type ReadPackage =
  | { status: "ok"; package: PackageFields }
  | { status: "invalid"; reason: string }

/** A package's name in npm's form. It becomes part of a path, so `..` and the like are refused. */
export const PackageName = z
  .string()
  .max(214)
  .regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/, "is not a package name")

/** Reads the package.json of a folder. None of the package's code runs. */
export function readPackage(folder: string): ReadPackage {
  try {
    const content: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    return parsePackage(content)
  } catch (error) {
    return { status: "invalid", reason: `its package.json cannot be read: ${inWords(error)}` }
  }
}

/** Checks the content of a package.json: its name, its version and the `harness` key. */
export function parsePackage(content: unknown): ReadPackage {
  const fields = PackageJson.extend({ name: PackageName }).safeParse(content)
  if (!fields.success) return invalid(fields.error, [])

  const { name, version, harness } = fields.data
  if (harness === undefined) {
    return { status: "invalid", reason: 'its package.json has no "harness" key' }
  }
  const manifest = Manifest.safeParse(harness)
  if (!manifest.success) return invalid(manifest.error, ["harness"])

  const twice = firstTwice(contributionsOf(manifest.data).map(({ label }) => label))
  if (twice !== undefined) return { status: "invalid", reason: `it brings ${twice} twice` }
  return { status: "ok", package: { name, version, manifest: manifest.data, fields: fields.data } }
}

/** One definition that a package brings, and the module that exports it. */
export type Contribution = {
  type: DefinitionType
  name: string
  module: string
  /** For people and for comparing: `kind project`. */
  label: string
}

/** All that a manifest contributes, in a fixed order. */
export function contributionsOf({ contributes }: Manifest): Contribution[] {
  const { kinds, providers, programs, policies } = contributes
  const named = (type: DefinitionType, entries: readonly { name: string; module: string }[]) =>
    entries.map(({ name, module }) => ({ type, name, module, label: `${type} ${name}` }))

  return [
    ...named("kind", kinds),
    ...named("provider", providers),
    ...named(
      "programs",
      programs.map(({ language, module }) => ({ name: language, module })),
    ),
    ...named("policy", policies),
  ]
}

function invalid(error: z.ZodError, at: readonly string[]): ReadPackage {
  const [issue] = error.issues
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []
  const key = keyPath([...at, ...(issue?.path ?? []), ...unknown])

  if (unknown.length > 0) return { status: "invalid", reason: `${key} is not a known key` }
  return { status: "invalid", reason: `${key}: ${issue?.message ?? "is not usable"}` }
}

function firstTwice(labels: readonly string[]): string | undefined {
  return labels.find((label, index) => labels.indexOf(label) !== index)
}
