import type { PyodideAPI, PyodideConfig } from "pyodide"
import type { Hello } from "../frames.ts"
import { type OpenSnapshot, openSnapshot } from "./snapshot.ts"

type CreateModule = NonNullable<PyodideConfig["createPyodideModule"]>
type PyodideModule = Awaited<ReturnType<CreateModule>>

/** Of the pinned Pyodide; it refuses to start with a list of packages for another one. */
const ABI_VERSION = "2026_0"

/** Loading stopped because of the snapshot's file; without it there is hope. */
export class SnapshotDamaged extends Error {}

export type LoadedPython = {
  python: PyodideAPI
  /** Pyodide's part of a snapshot, and the interpreter's memory itself: no copy, it goes on changing. */
  snapshot(): { head: Uint8Array; memory: Uint8Array }
}

/** Loads Python: from the snapshot if there is one, else plainly, and then runs the prelude. */
export async function loadPython(hello: Hello): Promise<LoadedPython> {
  const { pyodideUrl, snapshotFile } = hello
  const { loadPyodide, version }: typeof import("pyodide") = await import(
    `${pyodideUrl}pyodide.mjs`
  )
  const { default: create }: { default: CreateModule } = await import(
    `${pyodideUrl}pyodide.asm.mjs`
  )
  const snapshot = snapshotFile === null ? null : open(snapshotFile)
  let loaded: PyodideModule | undefined

  const python = await loadPyodide({
    // The whole of the module `js`; Pyodide's own Python code asks for these.
    jsglobals: { Object, setTimeout, clearTimeout },
    env: { HOME: "/home/pyodide", LANG: "C.UTF-8" },
    _sysExecutable: "python",
    // No packages: with its list of them, Pyodide would promise what it cannot bring.
    lockFileContents: {
      info: { arch: "wasm32", abi_version: ABI_VERSION, platform: "", version, python: "" },
      packages: {},
    },
    packageBaseUrl: pyodideUrl,
    createPyodideModule: async settings => {
      const module = await create(settings)
      if (snapshot) restoreInPlace(module, snapshot)
      loaded = module
      return module
    },
    _makeSnapshot: hello.sendSnapshot,
    // Only its size is looked at: zeros that nobody touches take no memory.
    ...(snapshot && { _loadSnapshot: new Uint8Array(snapshot.total) }),
  })

  if (loaded === undefined) throw new Error("Pyodide made no module")
  const module = loaded
  forgetPaths(module.API.config)
  const sink = { write: (bytes: Uint8Array) => bytes.length, isatty: false, fsync: () => {} }
  python.setStdin({ stdin: () => undefined, isatty: false })
  python.setStdout(sink)
  python.setStderr(sink)
  if (!snapshot) runPrelude(python, hello.prelude)
  return { python, snapshot: () => takeInPlace(module, python) }
}

/** Programs can look at the loader's configuration; where harness lies is not theirs to know. */
function forgetPaths(config: PyodideConfig): void {
  for (const key of ["indexURL", "packageBaseUrl", "packageCacheDir", "lockFileURL", "cdnUrl"]) {
    Reflect.set(config, key, "")
  }
  Reflect.deleteProperty(config, "_loadSnapshot")
}

function open(file: string): OpenSnapshot {
  try {
    return openSnapshot(file)
  } catch (error) {
    throw new SnapshotDamaged(String(error))
  }
}

/** Pyodide copies a snapshot from a buffer of its size; this reads it straight to its place. */
function restoreInPlace(module: PyodideModule, snapshot: OpenSnapshot): void {
  const restore = module.API.restoreSnapshot
  module.API.restoreSnapshot = () => {
    try {
      const config = restore(snapshot.head)
      const { buffer, byteOffset, byteLength } = module.HEAP8
      snapshot.fill(new Uint8Array(buffer, byteOffset, byteLength))
      return config
    } catch (error) {
      throw new SnapshotDamaged(String(error))
    }
  }
}

/**
 * Pyodide copies the memory into a snapshot, 30 MiB more at the moment when most is in use. With no
 * memory to copy it makes its own part alone.
 */
function takeInPlace(module: PyodideModule, python: PyodideAPI) {
  const whole = module.HEAP8
  module.HEAP8 = whole.subarray(0, 0)
  const made = python.makeMemorySnapshot()
  module.HEAP8 = whole
  const headBytes = new Uint32Array(made.buffer, made.byteOffset, 2)[1] ?? 0
  const { buffer, byteOffset, byteLength } = whole
  return {
    head: made.subarray(0, headBytes),
    memory: new Uint8Array(buffer, byteOffset, byteLength),
  }
}

/** Each file of the prelude becomes a module of the package `_harness`. */
function runPrelude(python: PyodideAPI, prelude: Hello["prelude"]): void {
  python.runPython(`
def run_prelude(files):
    import sys, types

    def load(name, source):
        module = sys.modules[name] = types.ModuleType(name)
        exec(compile(source, "<harness>/" + name, "exec"), module.__dict__)
        return module

    package = load("_harness", "__path__ = []")
    for name, source in files:
        setattr(package, name, load("_harness." + name, source))

import json
run_prelude(json.loads(${JSON.stringify(JSON.stringify(prelude))}))
`)
}
