import { fileURLToPath } from "node:url"

/** Where the parts of the program lie. */
export type Layout = {
  /** File URL of a module of ours by its specifier, `@harness/worker/main`. */
  locate(specifier: string): string
  /** The checkout's root when the program runs from one. */
  checkout: string | undefined
  /** What a Node of ours needs to run them. */
  nodeFlags: readonly string[]
}

/**
 * Finds the parts: in a checkout by the packages' own exports, TypeScript as it is; in the installed
 * command beside this file, for it is packed without its siblings.
 */
export function findLayout(): Layout {
  if (!import.meta.url.endsWith(".ts")) {
    return { locate: besideThis, checkout: undefined, nodeFlags: [] }
  }
  return {
    locate: specifier => import.meta.resolve(specifier),
    checkout: fileURLToPath(new URL("../../../", import.meta.url)),
    nodeFlags: ["--conditions=@harness/source"],
  }
}

/** `@harness/worker/main` is `worker-main.js` in the packed command. */
function besideThis(specifier: string): string {
  const name = specifier.replace("@harness/", "").replaceAll("/", "-")
  return new URL(`./${name}.js`, import.meta.url).href
}
