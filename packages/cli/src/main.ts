#!/usr/bin/env node
// The bin. What every start pays is here: nothing else is loaded until a command asks for it.
import { help } from "./help.ts"
import { readVersion } from "./version.ts"

const argv = process.argv.slice(2)
const [first = ""] = argv

if (first === "--version" || first === "-V") {
  process.stdout.write(`${readVersion()}\n`)
} else if (first === "--help" || first === "-h") {
  process.stdout.write(help)
} else {
  const { runHere } = await import("./process.ts")
  await runHere(argv)
}
