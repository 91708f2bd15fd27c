import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { PackageInspection } from "@harness/protocol"
import { createRegistry, type Registry, type RegistryOptions } from "../../src/registry/registry.ts"
import { temporaryFolder } from "../support/temporary.ts"

/** A registry over a fresh home. What would need the network fails at once: the port is closed. */
export async function temporaryRegistry(
  options: Partial<RegistryOptions> = {},
): Promise<{ home: string; registry: Registry }> {
  const home = options.home ?? join(await temporaryFolder(), "home")
  const env = await offlineEnvironment()
  return { home, registry: createRegistry({ home, builtins: [], hosted: {}, env, ...options }) }
}

export async function offlineEnvironment() {
  return { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: await temporaryFolder() }
}

/** Installs after agreeing to all that the inspection shows. */
export async function installAgreed(registry: Registry, spec: string, link = false) {
  const consent = consentTo(await registry.inspect(spec, { link }))
  return registry.install(spec, { link, consent })
}

export function consentTo({ name, version, manifest }: PackageInspection) {
  return { name, version, capabilities: manifest.capabilities }
}

/** The package.json of a small package that brings the kind `notes`. */
export function notesPackage(changes: Record<string, unknown> = {}) {
  return {
    name: "@acme/notes",
    version: "1.0.0",
    type: "module",
    exports: { ".": "./dist/index.js" },
    harness: {
      api: 1,
      contributes: { kinds: [{ name: "notes" }] },
      capabilities: ["files"],
    },
    ...changes,
  }
}

/** What `checkInstalled` and inspections show of {@link notesPackage}. */
export const notesManifest = {
  api: 1,
  contributes: {
    kinds: [{ name: "notes", module: "." }],
    providers: [],
    programs: [],
    policies: [],
  },
  capabilities: ["files"],
} as const

/** A definition as the sdk makes it, without importing the sdk. */
export const notesModule = `
const brand = Symbol.for("@harness/definition")
export const notes = { name: "notes", description: "Notes.", actions: [], [brand]: "kind" }
`

/** Writes a package into a new folder; a value that is not text is written as JSON. */
export async function packageFolder(
  packageJson: unknown = notesPackage(),
  files: Record<string, string> = { "dist/index.js": notesModule },
): Promise<string> {
  const folder = join(await temporaryFolder(), "package")
  await writeFiles(folder, { ...files, "package.json": JSON.stringify(packageJson) })
  return folder
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** A tarball with the entries below `package/`, as `npm pack` writes it. */
export async function packed(folder: string): Promise<string> {
  const file = join(await temporaryFolder(), "package.tgz")
  await promisify(execFile)("tar", ["-czf", file, "-C", dirname(folder), "package"])
  return file
}
