import { join } from "node:path"

/**
 * The arguments with which Node runs the command line from the checkout: TypeScript as it is,
 * our packages by their source.
 *
 * @param {string} root
 * @param {string[]} args
 */
export function cliFromSource(root, args) {
  const main = join(root, "packages", "cli", "src", "main.ts")
  return ["--conditions=@harness/source", main, ...args]
}
