import { existsSync } from "node:fs"
import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { pnpm, root } from "../bootstrap.mjs"

/**
 * Packs every package of the workspace as it would be published.
 *
 * @param {string} destination
 * @returns {Promise<{ folder: string, name: string, version: string, tarball: string }[]>}
 */
export async function packAll(destination) {
  await mkdir(destination, { recursive: true })
  const every = ["--recursive", "--filter", "./packages/*", "--filter", "./plugins/*"]
  await pnpm([...every, "pack", "--pack-destination", destination], "pack the packages")

  return (await ownPackages()).map(each => {
    const file = `${each.name.replace("@", "").replace("/", "-")}-${each.version}.tgz`
    return { ...each, tarball: join(destination, file) }
  })
}

/**
 * Our packages as the workspace has them.
 *
 * @returns {Promise<{ folder: string, name: string, version: string }[]>}
 */
async function ownPackages() {
  const found = []
  for (const group of ["packages", "plugins"]) {
    for (const entry of await readdir(join(root, group))) {
      const folder = join(root, group, entry)
      const manifest = join(folder, "package.json")
      if (!existsSync(manifest)) continue

      const { name, version } = JSON.parse(await readFile(manifest, "utf8"))
      found.push({ folder, name, version })
    }
  }
  return found
}
