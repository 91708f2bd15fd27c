import { readFileSync } from "node:fs"

/** The version of the command, as its own package.json says; the same from a checkout and installed. */
export function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8")
  const { version } = JSON.parse(manifest)
  return String(version)
}
