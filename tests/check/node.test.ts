import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { oldest } from "../../scripts/support/node.mjs"
import { root } from "./tree.ts"

test("set-up brings Node where package.json says that it is too old", async () => {
  const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

  expect(engines).toEqual({ node: `>=${oldest.major}.${oldest.minor}` })
})
