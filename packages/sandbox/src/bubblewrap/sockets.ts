import { readFileSync } from "node:fs"
import { type Place, placeAt } from "../paths.ts"

/**
 * The sockets with a path that programs of the host listen on now. Those of a command in a network
 * of its own are not in the kernel's list, so it keeps what it makes.
 */
export function hostSockets(): Place[] {
  const paths = socketPaths(readFileSync("/proc/net/unix", "utf8"))
  return paths.flatMap(path => {
    const place = placeAt(path)
    return place?.type === "file" ? [place] : []
  })
}

/** The absolute paths in /proc/net/unix; an abstract name starts with `@`. */
export function socketPaths(list: string): string[] {
  const paths = list.split("\n").flatMap(line => / (\/.*)$/.exec(line)?.[1] ?? [])
  return [...new Set(paths)]
}
