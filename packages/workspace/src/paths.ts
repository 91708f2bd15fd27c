import { posix } from "node:path"

/** One spelling for a path of an input: `./src//a.ts` is `src/a.ts`. Links are not followed. */
export function spelled(path: string): string {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal
}

/** The name of an output, when the path is one: `output:<id>`. */
export function outputOf(path: string): string | null {
  return path.startsWith("output:") ? path : null
}
