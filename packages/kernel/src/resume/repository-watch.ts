import { setTimeout as delay } from "node:timers/promises"
import type { Repository } from "@harness/protocol"
import { readHead } from "../conversation/head.ts"
import type { OpenEnvironment } from "../scheduler/environment.ts"

/** How the repository is left: looked at when a turn has ended, while its answer is shown. */
export interface RepositoryWatch {
  look(): void
  /** As it was at the last look. Never rejects. */
  left(): Promise<Repository | null>
}

/** In a large tree nobody waits longer for it; then it is not known. */
const lookMs = 100

export function watchRepository(
  root: string,
  environment: Pick<OpenEnvironment, "dirty">,
): RepositoryWatch {
  let dirty: Promise<boolean | null> | null = null
  return {
    look() {
      dirty = environment.dirty(lookMs)
    },
    async left() {
      const repository = readHead(root)
      if (repository === null || dirty === null) return repository
      const late = delay(lookMs, null, { ref: false })
      return { ...repository, dirty: await Promise.race([dirty, late]) }
    },
  }
}
