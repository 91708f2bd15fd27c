import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { isWithin, placeAt } from "../paths.ts"

/** The first bwrap of a search path, by its real path. */
export function findBubblewrap(
  searchPath: string,
  distrusted: readonly string[],
): string | undefined {
  return findTrusted("bwrap", searchPath, distrusted)
}

/**
 * The first program of that name. One that a command can write is passed over: the next command
 * would be contained by whatever the last one left there.
 */
export function findTrusted(
  name: string,
  searchPath: string,
  distrusted: readonly string[],
): string | undefined {
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  return folders
    .flatMap(folder => placeAt(join(folder, name)) ?? [])
    .filter(place => place.type === "file" && isExecutable(place.path))
    .map(place => place.path)
    .find(path => !distrusted.some(folder => isWithin(path, placeAt(folder)?.path ?? folder)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
