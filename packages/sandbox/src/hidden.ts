import { resolve } from "node:path"
import { type Place, placeAt } from "./paths.ts"

/** What lies in a home folder and opens other doors; `SandboxPolicy.hidden` adds to it. */
const secretsOfHome = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".config/gcloud",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".git-credentials",
]

/** The real places that a command must not see. What does not exist is not among them. */
export function hiddenPlaces(options: { home: string; hidden: readonly string[] }): Place[] {
  const places = hiddenPaths(options).flatMap(path => placeAt(path) ?? [])
  return [...new Map(places.map(place => [place.path, place])).values()]
}

/** The same as they are written, whether they exist or not. */
export function hiddenPaths(options: { home: string; hidden: readonly string[] }): string[] {
  const { home, hidden } = options
  return [...secretsOfHome, ...hidden].map(path => resolve(home, path))
}
