import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { packAll } from "../../scripts/support/pack.mjs"

declare module "vitest" {
  interface ProvidedContext {
    tarballs: Record<string, string>
  }
}

/** Packs every package of ours once; tests find the tarballs by the packages' names. */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "harness-packed-"))
  const packed = await packAll(folder)
  project.provide("tarballs", Object.fromEntries(packed.map(each => [each.name, each.tarball])))

  return () => rm(folder, { recursive: true, force: true })
}
