import { rm } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { copyOfTree } from "./tree.ts"

const layers = "scripts/layers.mjs"

/** Each in a file of its own: one look at the tree finds them all. */
const planted: { fault: string; files: Record<string, string>; told: string }[] = [
  {
    fault: "the kernel imports a package",
    files: { "packages/kernel/src/planted-1.ts": 'export * from "../../workspace/src/index.ts"\n' },
    told: "layer-of-kernel: packages/kernel/src/planted-1.ts -> packages/workspace/src/index.ts",
  },
  {
    fault: "the kernel imports a package that its manifest does not name",
    files: { "packages/kernel/src/planted-2.ts": 'export * from "@harness/workspace"\n' },
    told: "resolvable: packages/kernel/src/planted-2.ts -> @harness/workspace",
  },
  {
    fault: "the sdk imports the kernel",
    files: { "packages/sdk/src/planted-3.ts": 'export * from "../../kernel/src/index.ts"\n' },
    told: "layer-of-sdk: packages/sdk/src/planted-3.ts -> packages/kernel/src/index.ts",
  },
  {
    fault: "a plugin that is no provider imports the models",
    files: {
      "plugins/mcp/src/planted-4.ts": 'export * from "../../../packages/models/src/index.ts"\n',
    },
    told: "layer-of-plugins: plugins/mcp/src/planted-4.ts -> packages/models/src/index.ts",
  },
  {
    fault: "a package reaches inside another one",
    files: { "packages/kernel/src/planted-5.ts": 'export * from "../../protocol/src/limits.ts"\n' },
    told: "no-reaching-inside: packages/kernel/src/planted-5.ts -> packages/protocol/src/limits.ts",
  },
  {
    fault: "a kind opens files by itself",
    files: {
      "packages/workspace/src/planted-6.ts": 'export { readFile } from "node:fs/promises"\n',
    },
    told: "kinds-touch-nothing: packages/workspace/src/planted-6.ts -> fs/promises",
  },
  {
    fault: "the product uses what is for tests",
    files: { "packages/kernel/src/planted-7.ts": 'export * from "@harness/sdk/testing"\n' },
    told: "testing-is-for-tests: packages/kernel/src/planted-7.ts -> packages/sdk/src/testing/index.ts",
  },
  {
    fault: "two modules load each other",
    files: {
      "packages/protocol/src/planted/a.ts": 'export { planted } from "./b.ts"\n',
      "packages/protocol/src/planted/b.ts": 'export { planted } from "./a.ts"\n',
    },
    told: "no-cycles: packages/protocol/src/planted/a.ts -> packages/protocol/src/planted/b.ts",
  },
]

test("the check fails and names each fault that is planted", async () => {
  const tree = await copyOfTree()
  for (const { files } of planted) {
    for (const [file, text] of Object.entries(files)) await tree.write(file, text)
  }

  const { code, output } = await tree.node(layers)

  const lines = output.split("\n")
  const found = planted.map(({ fault, told }) => ({
    fault,
    told: lines.includes(`layers: ${told}`),
  }))
  expect({ code, found }).toEqual({
    code: 1,
    found: planted.map(({ fault }) => ({ fault, told: true })),
  })
})

test("the tree as it is keeps the layers", async () => {
  const tree = await copyOfTree()

  expect(await tree.node(layers)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^layers: \d+ modules, \d+ imports between packages, 0 problems\n$/,
    ),
  })
})

test("the check fails when the cruiser sees no TypeScript, as without a compiler API", async () => {
  const tree = await copyOfTree()
  await tree.write(
    ".dependency-cruiser.mjs",
    'export default { forbidden: [], options: { doNotFollow: { path: "node_modules" }, exclude: { path: "[.]ts$" } } }\n',
  )

  const { code, output } = await tree.node(layers)

  expect({ code, lines: output.split("\n") }).toEqual({
    code: 1,
    lines: expect.arrayContaining([
      "layers: not seen: packages/kernel/src/index.ts",
      expect.stringMatching(/^layers: only 0 imports between packages seen/),
    ]),
  })
})

test("the check fails when a whole package is missing from what it looks at", async () => {
  const tree = await copyOfTree()
  await rm(join(tree.path, "packages", "kernel", "src"), { recursive: true })

  const { code, output } = await tree.node(layers)

  expect({ code, lines: output.split("\n") }).toEqual({
    code: 1,
    lines: expect.arrayContaining([
      expect.stringMatching(/^layers: only \d+ modules seen, at least \d+ are there$/),
    ]),
  })
})
