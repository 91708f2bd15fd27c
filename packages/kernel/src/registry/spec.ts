import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { failure } from "@harness/protocol"
import { errnoOf, inWords } from "../config/errno.ts"

/** What a spec stands for. Paths are absolute; a registry spec is in npm's form. */
export type Wanted =
  | { type: "folder"; path: string }
  | { type: "tarball"; path: string }
  | { type: "registry"; spec: string }

/**
 * Reads a spec as the user wrote it. A name without a scope is ours, so that nobody else's package
 * can stand in for it: `workspace` is the checkout's own when harness runs from one, else
 * `@harness/workspace`. Throws `package_not_found`.
 */
export async function wantedBy(spec: string, checkout: string | undefined): Promise<Wanted> {
  if (looksLikePath.test(spec)) return atPath(spec, resolve(spec.replace(/^file:/, "")))
  if (spec.startsWith("npm:")) return fromRegistry(spec, spec.slice("npm:".length))
  if (spec.startsWith("@")) return fromRegistry(spec, spec)

  const own = checkout === undefined ? undefined : await inCheckout(checkout, spec)
  return own ?? fromRegistry(spec, `@harness/${spec}`)
}

const looksLikePath = /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/]|file:)|\.(?:tgz|tar\.gz)$/

async function atPath(source: string, path: string): Promise<Wanted> {
  const found = await stat(path).catch(error => {
    const reason = errnoOf(error) === "ENOENT" ? "there is no such folder or file" : inWords(error)
    throw failure("package_not_found", { source, reason }, { cause: error })
  })
  if (found.isDirectory()) return { type: "folder", path }
  if (found.isFile() && /\.(?:tgz|tar\.gz)$/.test(path)) return { type: "tarball", path }

  const reason = "it is neither a folder nor a tarball (.tgz)"
  throw failure("package_not_found", { source, reason })
}

/** Only what lives in a registry: a git address or a URL has no version that could be agreed to. */
async function fromRegistry(source: string, spec: string): Promise<Wanted> {
  const { default: parse } = await import("npm-package-arg")
  const parsed = (() => {
    try {
      return parse(spec)
    } catch (error) {
      throw failure("package_not_found", { source, reason: inWords(error) }, { cause: error })
    }
  })()
  if (parsed.registry && parsed.type !== "alias") return { type: "registry", spec }

  const reason = "it is neither a package of a registry, nor a folder, nor a tarball"
  throw failure("package_not_found", { source, reason })
}

async function inCheckout(checkout: string, name: string): Promise<Wanted | undefined> {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) return undefined

  for (const group of ["packages", "plugins"]) {
    const path = join(checkout, group, name)
    const found = await stat(join(path, "package.json")).catch(() => undefined)
    if (found?.isFile()) return { type: "folder", path }
  }
  return undefined
}
