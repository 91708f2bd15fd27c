import { controlFile, isSecretFile, type Permit } from "@harness/protocol"
import type { FileProblem } from "@harness/sdk"
import { refused } from "./problems.ts"

/** What an action may touch beyond ordinary files. */
export interface Guard {
  isSecret(real: string): boolean
  /** Why the file may not be opened; undefined when it may. `real` is where `path` leads. */
  refusalToRead(real: string, path: string): FileProblem | undefined
  /** Why nothing may be written there, a new file neither; undefined when it may. */
  refusalToWrite(real: string, path: string): FileProblem | undefined
}

export type GuardOptions = {
  permits: readonly Permit[]
  /** Patterns of names. */
  secretFiles: readonly string[]
}

/** Judges real paths, relative to the root: a link or another spelling of a name changes nothing. */
export function guardOf({ permits, secretFiles }: GuardOptions): Guard {
  const isSecret = (real: string) => isSecretFile(real, secretFiles)

  const refusalToRead = (real: string, path: string) => {
    if (permits.includes("secret_file") || !isSecret(real)) return undefined
    return refused("secret_file", path, `${leading(path, real)} a secret file.`)
  }
  const refusalToWrite = (real: string, path: string) => {
    const pattern = permits.includes("control_file") ? null : controlFile(real)
    if (pattern === null) return refusalToRead(real, path)
    return refused("control_file", path, `${leading(path, real)} a control file (${pattern}).`)
  }
  return { isSecret, refusalToRead, refusalToWrite }
}

function leading(path: string, real: string): string {
  return path === real ? `${path} is` : `${path} leads to ${real},`
}
