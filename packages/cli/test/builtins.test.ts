import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { Manifest, PackageJson } from "@harness/protocol"
import { expect, test } from "vitest"
import { shipped } from "../src/builtins.ts"
import { readVersion } from "../src/version.ts"

test.for(shipped)(
  "what the command says of $name is what its package.json says",
  ({ name, manifest }) => {
    const file = findPackageJSON(name, import.meta.url)
    const found = PackageJson.parse(JSON.parse(readFileSync(String(file), "utf8")))

    expect({ name, manifest, version: readVersion() }).toEqual({
      name: found.name,
      manifest: Manifest.parse(found.harness),
      version: found.version,
    })
  },
)
