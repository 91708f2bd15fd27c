import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const source = fileURLToPath(new URL("../probes.c", import.meta.url))

/** The probes that no shell can make, as a program that everybody may run. */
export function compiledProbes(): { path: string; remove(): void } {
  const folder = mkdtempSync("/var/tmp/harness-escape-probes-")
  const path = join(folder, "probe")
  try {
    execFileSync("gcc", ["-Wall", "-O1", "-o", path, source, "-lutil"], { stdio: "pipe" })
  } catch (cause) {
    throw new Error("gcc is needed; on Debian and Ubuntu: sudo apt-get install gcc libc6-dev", {
      cause,
    })
  }
  chmodSync(folder, 0o755)
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
