import { setImmediate as otherWork } from "node:timers/promises"

/** Time that a look at many files may take before other work gets its turn. */
const SLICE_MS = 5

/** Lets other work of the worker go on between the parts of a long look. */
export interface Slices {
  /** True when the slice is used up. Cheap enough to ask for every few files. */
  due(): boolean
  next(): Promise<void>
}

export function slices(): Slices {
  let startedAtMs = performance.now()
  return {
    due: () => performance.now() - startedAtMs >= SLICE_MS,
    async next() {
      await otherWork()
      startedAtMs = performance.now()
    },
  }
}
