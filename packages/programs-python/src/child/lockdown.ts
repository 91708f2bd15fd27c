import childProcess from "node:child_process"
import fs from "node:fs"
import { registerHooks, syncBuiltinESMExports } from "node:module"
import process from "node:process"

/**
 * Takes away what a program could reach the host with, in two steps around the loading of Pyodide.
 * The process was started under `--permission` and without code generation; here the rest goes.
 */

/** Before Pyodide is loaded: what it would trip over or could use. `memoryLimitBytes` caps WebAssembly. */
export function lockBeforeLoading(memoryLimitBytes: number): void {
  // Pyodide asks for the file system's constants in a way that the permission model denies.
  const { constants } = fs
  Reflect.set(process, "binding", (name: string) => {
    if (name === "constants") return { fs: constants }
    throw new Error("closed")
  })

  // C's system() is a spawn of the real shell in Pyodide's runtime; denied, it would be fatal.
  Reflect.set(childProcess, "spawnSync", () => ({ status: 127, signal: null }))

  // "fsync API is disabled" would end the interpreter when an old stdout is collected.
  fs.fsyncSync = () => {}
  fs.fdatasyncSync = () => {}
  syncBuiltinESMExports()

  // Pyodide imports a WebSocket library for emulated sockets: 60 modules, and a way to the network.
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "ws"
        ? { url: "data:text/javascript,export default class{}", shortCircuit: true }
        : next(specifier, context),
  })

  capMemory(memoryLimitBytes)
}

/** After Pyodide is loaded, before any program: files, processes, network and threads are gone for good. */
export function lockAfterLoading(): void {
  Reflect.deleteProperty(globalThis, "gc")
  // The stacks of JavaScript's errors name files of the host.
  Error.stackTraceLimit = 0

  dropPermissions()

  // Not covered by the permission model. Needs JavaScript first, which programs cannot run.
  const uncovered = [
    "kill",
    "_kill",
    "dlopen",
    "_linkedBinding",
    "getBuiltinModule",
    "abort",
    "chdir",
  ]
  for (const name of uncovered) Reflect.set(process, name, undefined)
}

/**
 * The process was started with leave to read its own code and for nothing else; that goes too. Node
 * before 24.20 cannot drop a permission: there the code stays readable, and it must be all that is.
 */
function dropPermissions(): void {
  const permission: unknown = Reflect.get(process, "permission")
  const drop: unknown = isObject(permission) ? Reflect.get(permission, "drop") : undefined
  const droppable = typeof drop === "function"
  if (droppable) {
    for (const scope of ["fs", "fs.read", "fs.write", "net", "child", "worker"]) {
      Reflect.apply(drop, permission, [scope])
    }
  }

  const mayReadOwn = !droppable
  const left = ["fs.write", "child", "worker", ...(mayReadOwn ? [] : ["fs.read"])].filter(scope =>
    process.permission.has(scope),
  )
  if (left.length > 0) throw new Error(`these permissions are left: ${left.join(", ")}`)
  for (const path of ["/", "/etc/passwd", "/proc/self/environ"]) {
    if (process.permission.has("fs.read", path)) throw new Error(`${path} is readable`)
  }
}

/** A function for Python: without a prototype, so without `constructor`, and unchangeable. */
export function bareFunction<Bare extends (...args: never[]) => unknown>(bare: Bare): Bare {
  return Object.freeze(Object.setPrototypeOf(bare, null))
}

type WebAssemblyMemory = { buffer: ArrayBuffer; grow(pages: number): number }

/** Beyond the cap Python gets a MemoryError and stays usable. */
function capMemory(limitBytes: number): void {
  const { Memory }: { Memory: { prototype: WebAssemblyMemory } } = Reflect.get(
    globalThis,
    "WebAssembly",
  )
  const grow = Memory.prototype.grow
  Memory.prototype.grow = function (this: WebAssemblyMemory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > limitBytes) throw new RangeError("memory cap")
    return grow.call(this, pages)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
