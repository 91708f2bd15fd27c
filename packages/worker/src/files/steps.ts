import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs"
import { sep } from "node:path"
import { codeOf } from "../thrown.ts"

/** One place on a walk through folders, held so that a rename elsewhere cannot exchange it. */
export type Step = {
  /** A path that means this very place while the step is held. Not for links. */
  as: string
  stats: Stats
  close(): void
}

/** How a walk takes a step on this system. */
export interface Steps {
  /** Throws the system's error. */
  enterRoot(path: string): Step
  /** The entry `name` of the folder, itself, not what it links to. Throws the system's error. */
  enter(folder: Step, name: string): Step
  /** Opens a file of the walk; the descriptor is of what was stepped on. Throws the system's error. */
  open(step: Step, flags: number): number
  /** Where the step really lies now, or undefined when it is gone. */
  realPathOf(step: Step): string | undefined
}

/** Descriptors where the system shows them as paths, else names that are checked after opening. */
export function stepsOf(platform: NodeJS.Platform): Steps {
  const byDescriptor = platform === "linux" && existsSync("/proc/self/fd")
  return byDescriptor ? stepsByDescriptor : stepsByName
}

/** Linux: opens a place without any right on it; not among Node's constants. */
const O_PATH = 0o10000000
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0

/**
 * `/proc/self/fd/N/name` is openat(N, name): no component can be exchanged between check and use.
 * Devices and FIFOs are only looked at, never opened.
 */
const stepsByDescriptor: Steps = {
  enterRoot: path => hold(openSync(path, O_PATH | constants.O_DIRECTORY)),

  enter: (folder, name) => hold(openSync(`${folder.as}/${name}`, O_PATH | O_NOFOLLOW)),

  open: (step, flags) => openSync(step.as, flags),

  realPathOf(step) {
    const path = readlinkSync(step.as)
    return path.endsWith(" (deleted)") && !existsSync(path) ? undefined : path
  },
}

function hold(descriptor: number): Step {
  return {
    as: `/proc/self/fd/${descriptor}`,
    stats: fstatSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

/** macOS and Windows: the opened file must be the one that was stepped on, at its own real path. */
const stepsByName: Steps = {
  enterRoot: path => named(realpathSync(path)),

  enter: (folder, name) => named(`${folder.as}${folder.as.endsWith(sep) ? "" : sep}${name}`),

  open(step, flags) {
    const descriptor = openSync(step.as, flags | O_NOFOLLOW)
    const opened = fstatSync(descriptor, { bigint: true })
    const expected = lstatSync(step.as, { bigint: true })
    const same = opened.ino === expected.ino && opened.dev === expected.dev
    if (same && BigInt(step.stats.ino) === opened.ino && realpathSync(step.as) === step.as) {
      return descriptor
    }

    closeSync(descriptor)
    throw Object.assign(new Error(`${step.as} was exchanged`), { code: "ESTALE" })
  },

  realPathOf(step) {
    try {
      return realpathSync(step.as)
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined
      throw error
    }
  },
}

function named(path: string): Step {
  return { as: path, stats: lstatSync(path), close: () => undefined }
}
