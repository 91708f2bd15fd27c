import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Environment } from "../config/home.ts"

/**
 * Everything that npm's libraries do for us. They are imported here and nowhere else, when something
 * is installed: they take longer to load than harness does. No lifecycle script ever runs.
 */

/** Reads the package.json that a registry or a tarball offers. */
export async function readManifest(spec: string, env: Environment): Promise<unknown> {
  const { default: pacote } = await import("pacote")
  return pacote.manifest(spec, { ...npmOptions(env), fullMetadata: true })
}

/** Packs a folder as `npm pack` does, without running its scripts. */
export async function packFolder(folder: string, env: Environment): Promise<Buffer> {
  const { default: pacote } = await import("pacote")
  const { default: Arborist } = await import("@npmcli/arborist")
  const options = { ...npmOptions(env), ignoreScripts: true, Arborist }
  return pacote.tarball(`file:${folder}`, options)
}

/**
 * Installs one package with its dependencies into an empty folder. The packages in `hosted` are the
 * host's: whatever asks for one gets an empty stand-in, which the loading redirects, so that none is
 * fetched and there is one copy.
 */
export async function installInto(
  folder: string,
  wanted: { name: string; version: string; tarball: Buffer | undefined },
  { hosted, env }: { hosted: readonly string[]; env: Environment },
): Promise<{ integrity: string | null }> {
  const { default: Arborist } = await import("@npmcli/arborist")
  const { name, version, tarball } = wanted
  const packed = join(folder, "package.tgz")
  if (tarball !== undefined) await writeFile(packed, tarball)

  const standIns = hosted.filter(specifier => specifier !== name)
  await Promise.all(standIns.map(specifier => writeStandIn(folder, specifier)))
  const content = {
    private: true,
    dependencies: {
      ...Object.fromEntries(
        standIns.map(specifier => [specifier, `file:${standInPath(specifier)}`]),
      ),
      [name]: tarball === undefined ? version : "file:package.tgz",
    },
    overrides: Object.fromEntries(standIns.map(specifier => [specifier, `$${specifier}`])),
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(content, null, 2)}\n`)

  const options = { ...npmOptions(env), path: folder, engineStrict: true, binLinks: false }
  const quiet = { ignoreScripts: true, audit: false, fund: false, progress: false }
  const tree = await new Arborist({ ...options, ...quiet }).reify({ save: true })

  await rm(packed, { force: true })
  return { integrity: tree.children.get(name)?.integrity ?? null }
}

/** npm's settings that matter here, from the variables that npm itself reads. */
function npmOptions(env: Environment) {
  const registry = env.npm_config_registry ?? env.NPM_CONFIG_REGISTRY
  const cache = env.npm_config_cache ?? env.NPM_CONFIG_CACHE
  return {
    fetchRetries: 1,
    fetchRetryFactor: 1,
    fetchRetryMintimeout: 500,
    fetchRetryMaxtimeout: 500,
    fetchTimeout: 60_000,
    ...(registry && { registry }),
    ...(cache && { cache: join(cache, "_cacache") }),
  }
}

async function writeStandIn(folder: string, specifier: string): Promise<void> {
  const path = join(folder, standInPath(specifier))
  await mkdir(path, { recursive: true })
  const content = { name: specifier, version: "0.0.0", description: "The host's copy is used." }
  await writeFile(join(path, "package.json"), `${JSON.stringify(content, null, 2)}\n`)
}

function standInPath(specifier: string): string {
  return `hosted/${specifier.replace("/", "+")}`
}
