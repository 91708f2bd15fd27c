import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { defaultSecretFiles, type Permit } from "@harness/protocol"
import type { Files } from "@harness/sdk"
import { type ActionEvidence, actionEvidence } from "../../src/evidence/action-evidence.ts"
import { payloadsIn } from "../../src/evidence/payloads.ts"
import { confinedFiles } from "../../src/files/files.ts"
import { guardOf } from "../../src/files/guard.ts"
import { replacementsInTurn } from "../../src/files/replace.ts"
import { stagingIn } from "../../src/files/staging.ts"
import { openRoot, type Root } from "../../src/files/walk.ts"

// Thousands of synced writes are quick in memory; tests across processes use the disk.
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/** A root between an outside and artifacts, with the confined files of one action over it. */
export type Folders = {
  /** Holds `root`, `outside`, `artifacts` and `home`. */
  base: string
  path: string
  outside: string
  artifacts: string
  root: Root
  files: Files
  evidence: ActionEvidence
  /** Files of another action over the same root. */
  filesWith(options: ActionOptions): { files: Files; evidence: ActionEvidence }
  /** Writes files below `base`, folders made. */
  put(contents: Record<string, string>): void
  dispose(): void
}

export type ActionOptions = { grantBytes?: number; permits?: readonly Permit[] }

export type FoldersOptions = ActionOptions & {
  platform?: NodeJS.Platform
  /** Below `base`. */
  hidden?: readonly string[]
}

export function makeFolders(options: FoldersOptions = {}): Folders {
  const { platform = process.platform, hidden = [] } = options
  const base = realpathSync(mkdtempSync(join(parent, "harness-folders-")))
  const path = join(base, "root")
  const outside = join(base, "outside")
  const artifacts = join(base, "artifacts")
  const home = join(base, "home")
  for (const folder of [path, outside, artifacts, home]) mkdirSync(folder)

  const root = openRoot(path, platform, { hidden: hidden.map(place => join(base, place)) })
  const replacements = replacementsInTurn(stagingIn(home))
  const payloads = payloadsIn(artifacts)
  const filesWith = ({ grantBytes = 64 * 1_048_576, permits = [] }: ActionOptions) => {
    const evidence = actionEvidence(payloads, grantBytes)
    const guard = guardOf({ permits, secretFiles: defaultSecretFiles })
    return { evidence, files: confinedFiles({ root, guard, replacements, evidence }) }
  }
  return {
    base,
    path,
    outside,
    artifacts,
    root,
    ...filesWith(options),
    filesWith,
    put(contents) {
      for (const [name, text] of Object.entries(contents)) {
        mkdirSync(dirname(join(base, name)), { recursive: true })
        writeFileSync(join(base, name), text)
      }
    },
    dispose() {
      root.step.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What changes when anyone writes the file, its attributes or another file in its place. */
export function identityOf({ ino, size, mode, mtimeMs, ctimeMs }: Stats) {
  return { ino, size, mode, mtimeMs, ctimeMs }
}
