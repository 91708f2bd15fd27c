#!/usr/bin/env node
// The `harness` command from the checkout, under the right Node whatever is on PATH.
import { prepare, root } from "./bootstrap.mjs"
import { runInOurPlace } from "./support/children.mjs"
import { cliFromSource } from "./support/cli.mjs"
import { runScript } from "./support/problem.mjs"

await runScript(async () => {
  const { nodePath } = await prepare()
  const args = cliFromSource(root, process.argv.slice(2))

  // Where a process can become another one, none stays beside the command line.
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.execve(nodePath, [nodePath, ...args], process.env)
  }
  return runInOurPlace(nodePath, args)
})
