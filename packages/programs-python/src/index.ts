import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { failure } from "@harness/protocol"
import {
  defineProgramRuntime,
  type ProgramRuntimeDefinition,
  type ProgramSession,
  type ProgramSessionOptions,
} from "@harness/sdk"
import { findLayout } from "./layout.ts"
import { startSession } from "./session.ts"
import { pythonSignature } from "./signature.ts"

/** Programs in Python: Pyodide in a process of its own that can reach nothing but its host. */
export const python: ProgramRuntimeDefinition = defineProgramRuntime({
  name: "python",
  notes: [
    "Python 3.14 with its standard library only; no packages, threads, processes or network.",
    "Variables, functions and imports stay for the next program. Top-level await works.",
    "Functions take positional or keyword arguments and return a dict whose keys are attributes too (r.text).",
    'What goes wrong is data (r.get("error")), wrong arguments raise TypeError.',
    "open() and os see an empty file system of the interpreter's own, never the project: use the functions.",
    "Print what you want to see.",
  ].join("\n"),
  signature: pythonSignature,
  start: options => start(options, process.platform),
})

async function start(
  options: ProgramSessionOptions,
  platform: NodeJS.Platform,
): Promise<ProgramSession> {
  if (platform === "win32") {
    const reason = "its pipes are not verified on Windows"
    throw failure("program_runtime_failed", { language: "python", reason })
  }
  try {
    const layout = findLayout(import.meta.url)
    const prelude = readPrelude(layout.preludeFolder)
    const machine = { spawn, nodePath: process.execPath }
    return await startSession({ ...options, layout, prelude }, machine, () => performance.now())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw failure("program_runtime_failed", { language: "python", reason }, { cause: error })
  }
}

/** In the order in which they run: each imports only what is before it. */
const preludeModules = ["output", "functions", "refusals", "waiting", "programs"] as const

function readPrelude(folder: string): [name: string, source: string][] {
  return preludeModules.map(name => [name, readFileSync(join(folder, `${name}.py`), "utf8")])
}
