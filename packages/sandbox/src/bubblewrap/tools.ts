import { basename, delimiter, dirname, isAbsolute, normalize } from "node:path"
import { isBelow, placeAt, realPathOf } from "../paths.ts"

/** A place of the host under the name by which a command finds it. */
export type Shown = { path: string; source: string }

/** What they lie in belongs to the program as well: `lib`, `share`. */
const programFolders = ["bin", ".bin", "sbin"]

/**
 * The folders of the search path that a fresh folder would cover, e.g. of a Node that was unpacked
 * below /tmp. An entry named `bin`, `.bin` or `sbin` brings the folder that it lies in, unless that
 * is a fresh folder itself. A link is there under its own name and where it leads to.
 */
export function toolFolders(searchPath: string, fresh: readonly string[]): Shown[] {
  const entries = searchPath.split(delimiter).filter(isAbsolute)
  return entries.flatMap(entry => {
    const path = normalize(entry).replace(/(?<=.)\/$/, "")
    const real = realPathOf(path)
    if (real === undefined) return []
    return [path, real].flatMap(each => shown(each, fresh))
  })
}

/** What the user wants seen there, under its own name and where it leads to. */
export function shownPlaces(paths: readonly string[], fresh: readonly string[]): Shown[] {
  return paths.flatMap(path => {
    const source = placeAt(path)?.path
    if (source === undefined) return []
    return [...new Set([normalize(path), source])]
      .filter(each => fresh.some(folder => isBelow(each, folder)))
      .map(each => ({ path: each, source }))
  })
}

/** The file that says how names are resolved, where /etc has only a link to it. */
export function resolverFile(fresh: readonly string[]): Shown[] {
  const place = placeAt("/etc/resolv.conf")
  return place && fresh.some(folder => isBelow(place.path, folder))
    ? [{ path: place.path, source: place.path }]
    : []
}

function shown(entry: string, fresh: readonly string[]): Shown[] {
  const around = fresh.find(folder => isBelow(entry, folder))
  if (around === undefined) return []

  const parent = dirname(entry)
  const whole = programFolders.includes(basename(entry)) && isBelow(parent, around)
  const path = whole ? parent : entry
  const source = placeAt(path)
  return source?.type === "folder" ? [{ path, source: source.path }] : []
}
