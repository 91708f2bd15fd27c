import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Manifest } from "@harness/protocol"
import { createLocalLog } from "../../../src/logs/local-log.ts"
import { createRegistry } from "../../../src/registry/registry.ts"
import { temporaryFolder } from "../../support/temporary.ts"

const standIn = fileURLToPath(new URL("./keychain.ts", import.meta.url))

/**
 * A home in which the providers `keyed`, `keyless` and one that is broken are installed, and a keychain
 * that is a stand-in for the system's.
 */
export async function keyedHome(variables: Record<string, string> = {}) {
  const [home, keychain] = [await temporaryFolder(), await temporaryFolder()]
  const env = { PATH: process.env.PATH, TMPDIR: keychain, ...variables }
  const modules = { ".": new URL("../../support/keyed-provider.ts", import.meta.url).href }
  const registry = createRegistry({
    home,
    env,
    builtins: [
      { ...named("keys", ["keyed", "keyless"]), modules },
      { ...named("broken", ["broken"]), modules: { ".": "file:///nowhere/broken.js" } },
    ],
    hosted: { "@harness/sdk": new URL("../../../../sdk/src/index.ts", import.meta.url).href },
  })
  const context = {
    home,
    env,
    registry,
    log: createLocalLog({ home, env, clock: () => 0 }),
    keychain: { entry: standIn, nodeFlags: [] },
  }
  const keychainIs = (mode: "open" | "locked") => writeFileSync(join(keychain, "mode"), mode)
  return { home, context, keychainIs }
}

function named(name: string, providers: string[]) {
  const contributes = { providers: providers.map(each => ({ name: each })) }
  return { name, version: "1.0.0", manifest: Manifest.parse({ api: 1, contributes }) }
}
