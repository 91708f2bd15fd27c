#!/usr/bin/env node
// The bin. What every start pays is here: nothing else is loaded until a command asks for it. An old
// Node must get through it to its check, so that it imports nothing that one could lack.
import { help } from "./help.ts"
import { nodeTooOld } from "./node-version.ts"
import { readVersion } from "./version.ts"

const argv = process.argv.slice(2)
const [first = ""] = argv

if (first === "--version" || first === "-V") {
  process.stdout.write(`${readVersion()}\n`)
} else if (first === "--help" || first === "-h") {
  process.stdout.write(help)
} else {
  const problem = nodeTooOld(process.versions.node, process.execPath)
  if (problem === undefined) {
    const { runHere } = await import("./process.ts")
    await runHere(argv)
  } else {
    process.stderr.write(problem)
    process.exitCode = 2
  }
}
