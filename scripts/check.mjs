// Everything that can be said about the code without running it: `pnpm check`.
import { pathToFileURL } from "node:url"
import { prepare, root } from "./bootstrap.mjs"
import { run } from "./support/children.mjs"
import { runScript } from "./support/problem.mjs"

const pieces = ["lint", "typecheck", "layers", "unused", "publint"]

/**
 * Runs every piece, so that one failure does not hide another.
 *
 * @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared
 * @returns {Promise<{ passed: string[], failed: string[] }>}
 */
export async function check({ nodePath, env }) {
  const passed = /** @type {string[]} */ ([])
  const failed = /** @type {string[]} */ ([])
  for (const piece of pieces) {
    process.stdout.write(`check: ${piece}\n`)
    const { code } = await run(nodePath, ["--run", piece], { cwd: root, env })
    const list = code === 0 ? passed : failed
    list.push(piece)
  }
  return { passed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(async () => {
    const { failed } = await check(await prepare())
    if (failed.length > 0) process.stderr.write(`check: failed: ${failed.join(", ")}\n`)
    return failed.length === 0 ? 0 : 1
  })
}
