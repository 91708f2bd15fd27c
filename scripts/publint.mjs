// Lints each package as it would be published: built, packed, its published manifest.
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { prepare, root } from "./bootstrap.mjs"
import { run } from "./support/children.mjs"
import { packAll } from "./support/pack.mjs"
import { runScript } from "./support/problem.mjs"

await runScript(async () => {
  const { nodePath, env } = await prepare()
  const built = await run(nodePath, ["--run", "build"], { cwd: root, env })
  if (built.code !== 0) return built.code

  const folder = await mkdtemp(join(tmpdir(), "harness-publint-"))
  try {
    const packed = await packAll(folder)
    const problems = (await Promise.all(packed.map(problemsOf))).flat()
    for (const line of problems) process.stderr.write(`publint: ${line}\n`)
    process.stdout.write(`publint: ${packed.length} packages, ${problems.length} problems\n`)
    return problems.length === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** @param {{ folder: string, tarball: string }} packed */
async function problemsOf({ folder, tarball }) {
  const content = await readFile(tarball)
  const { messages, pkg = {} } = await publint({
    level: "warning",
    strict: true,
    pack: { tarball: new Uint8Array(content).buffer },
  })
  return messages.map(
    message => `${relative(root, folder)}: ${formatMessage(message, pkg, { color: false })}`,
  )
}
