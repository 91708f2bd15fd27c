import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../../scripts/support/children.mjs"
import { root } from "./tree.ts"

async function workspace(packages: Record<string, { version: string; changelog: string }>) {
  const folder = await mkdtemp(join(tmpdir(), "harness-changelog-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))

  for (const [name, { version, changelog }] of Object.entries(packages)) {
    const path = join(folder, "packages", name)
    await mkdir(path, { recursive: true })
    await writeFile(
      join(path, "package.json"),
      JSON.stringify({ name: `@harness/${name}`, version }),
    )
    await writeFile(join(path, "CHANGELOG.md"), changelog)
  }

  const file = join(folder, "CHANGELOG.md")
  return {
    write: (text: string) => writeFile(file, text),
    fold: async () => {
      const script = join(root, "scripts", "changelog.mjs")
      const { output } = await run(process.execPath, [script], { cwd: folder, captured: true })
      return { output, changelog: await readFile(file, "utf8") }
    },
  }
}

const kernel = `# @harness/kernel

## 0.2.0

### Minor Changes

- 1a2b3c4: Runs have a budget.

  It covers the whole tree.

### Patch Changes

- Updated dependencies [1a2b3c4]
  - @harness/sdk@0.2.0

## 0.1.0

### Minor Changes

- 9f8e7d6: The first one.
`
const sdk = `# @harness/sdk

## 0.2.0

### Minor Changes

- 1a2b3c4: Runs have a budget.

  It covers the whole tree.

### Patch Changes

- @harness/protocol@0.2.0
`

const folded = `# Changelog

What changed.

## 0.2.0

### Minor Changes

- 1a2b3c4: Runs have a budget.

  It covers the whole tree. (@harness/kernel, @harness/sdk)

## 0.1.0

### Minor Changes

- 9f8e7d6: The first one. (@harness/kernel)
`

test("a new version goes on top, each entry once with its packages", async () => {
  const { write, fold } = await workspace({
    kernel: { version: "0.2.0", changelog: kernel },
    sdk: { version: "0.2.0", changelog: sdk },
  })
  await write(
    "# Changelog\n\nWhat changed.\n\n## 0.1.0\n\n### Minor Changes\n\n- 9f8e7d6: The first one. (@harness/kernel)\n",
  )

  expect(await fold()).toEqual({ output: "changelog: 0.2.0\n", changelog: folded })
})

test("folding the same version twice changes nothing", async () => {
  const { write, fold } = await workspace({
    kernel: { version: "0.2.0", changelog: kernel },
    sdk: { version: "0.2.0", changelog: sdk },
  })
  await write(folded)

  expect(await fold()).toEqual({ output: "changelog: nothing new\n", changelog: folded })
})
