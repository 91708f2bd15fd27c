import { readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, sep } from "node:path"
import { foldedName } from "@harness/protocol"
import type { FileProblem } from "@harness/sdk"
import { codeOf } from "../thrown.ts"
import { kernelFileSystem } from "./file-systems.ts"
import { fromSystem, hidden, notFound, outsideRoot, refused } from "./problems.ts"
import { type Step, type Steps, stepsOf } from "./steps.ts"

/** The folder that everything lies below, held for as long as the worker lives. */
export type Root = {
  path: string
  steps: Steps
  step: Step
  /** Names of the places below it that nobody gets to see, folded. */
  hidden: readonly (readonly string[])[]
}

/**
 * Opens the root. `hidden` are absolute paths, whether they exist or not; only those below the root
 * matter. Throws the system's error.
 */
export function openRoot(
  folder: string,
  platform: NodeJS.Platform,
  { hidden: places = [] }: { hidden?: readonly string[] } = {},
): Root {
  const path = realpathSync(folder)
  const kernel = kernelFileSystem(path)
  if (kernel !== undefined) throw new Error(`${path} is no folder of files: it lies on ${kernel}`)

  const steps = stepsOf(platform)
  const spellings = places.flatMap(place => [place, realSpelling(place)])
  const names = spellings.map(place => namesIn(below(path, place) ?? "").map(foldedName))
  return { path, steps, step: steps.enterRoot(path), hidden: names.filter(isNotEmpty) }
}

/** Where a path leads: an entry with its folder, or the folder where the first missing name would be. */
export type Place = {
  /** `rest` is empty when the entry exists; else the names that are missing, first to last. */
  status: "reached"
  /** The last step that exists. */
  step: Step
  /** The folder of the entry; for a missing one the same as `step`. Undefined for the root itself. */
  folder: Step | undefined
  /** The names of `step` below the root, links resolved. */
  names: readonly string[]
  rest: readonly string[]
  close(): void
}

/** As many links as Linux follows. */
const MAX_LINKS = 40

/** As long a path as Linux takes. */
const MAX_PATH_BYTES = 4_096

/** Each step is held by a descriptor, and there are many walks at once. */
const MAX_DEPTH = 256

/**
 * Follows a path below the root, one component at a time, through links that stay inside. What
 * leads out is refused, whether it exists there or not. The caller closes the place.
 */
export function walk(root: Root, path: string): Place | FileProblem {
  const problem = malformed(path)
  if (problem !== undefined) return problem

  const trail: Step[] = []
  const close = () => closeFrom(trail, 0)
  try {
    const place = follow(root, path, trail)
    if (place.status === "reached") return { ...place, close }
    close()
    return place
  } catch (error) {
    close()
    return fromSystem(error, path, "unreadable")
  }
}

/**
 * The names of the step below the root at this moment, whatever was renamed since it was taken;
 * undefined when it does not lie in the root, or in a hidden place.
 */
export function namesNow(root: Root, step: Step): string[] | undefined {
  const real = root.steps.realPathOf(step)
  const rootReal = root.steps.realPathOf(root.step)
  if (real === undefined || rootReal === undefined) return undefined

  const inside = below(rootReal, real)
  if (inside === undefined) return undefined
  const names = namesIn(inside)
  return isHidden(root, names) ? undefined : names
}

/** True for a hidden place and whatever is in it. */
export function isHidden(root: Root, names: readonly string[]): boolean {
  if (root.hidden.length === 0) return false
  const folded = names.map(foldedName)
  return root.hidden.some(place => place.every((name, index) => folded[index] === name))
}

/** A path as the results show it: `/` on every system, `.` for the root. */
export function shown(names: readonly string[]): string {
  return names.length === 0 ? "." : names.join("/")
}

function malformed(path: string): FileProblem | undefined {
  if (path === "") return refused("invalid_path", path, "The path is empty.")
  if (path.includes("\0")) return refused("invalid_path", path, "The path holds a NUL character.")
  if (!path.isWellFormed()) {
    return refused("invalid_path", path, "The path holds half a character (a lone surrogate).")
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    return refused("invalid_path", path, `The path is longer than ${MAX_PATH_BYTES} bytes.`)
  }
  return undefined
}

/** Leaves on the trail the steps below the root that lead to the place: the caller closes them. */
function follow(root: Root, path: string, trail: Step[]): Omit<Place, "close"> | FileProblem {
  const start = componentsBelow(root, path)
  if (start === undefined) return outsideRoot(path)

  const names: string[] = []
  const ahead = start.reverse()
  let links = 0

  while (true) {
    const name = ahead.pop()
    const step = trail.at(-1) ?? root.step
    if (name === undefined) {
      const above = trail.length === 1 ? root.step : trail.at(-2)
      return { status: "reached", step, folder: above, names, rest: [] }
    }

    if (name === "..") {
      if (trail.length === 0) return outsideRoot(path)
      closeFrom(trail, trail.length - 1)
      names.pop()
      continue
    }

    if (isHidden(root, [...names, name])) return hidden(path)
    const next = enterOrMissing(root, step, name)
    if (next === undefined) return missing(root, path, step, names, [name, ...ahead.reverse()])
    trail.push(next)
    names.push(name)
    if (trail.length > MAX_DEPTH) return tooDeep(path)
    if (!next.stats.isSymbolicLink()) continue

    links += 1
    if (links > MAX_LINKS) {
      return refused("unreadable", path, `${path} passes through too many links.`)
    }
    const target = readlinkSync(`${step.as}${sep}${name}`)
    const onward = componentsBelow(root, target)
    if (onward === undefined) return outsideRoot(path)
    const kept = isAbsolute(target) ? 0 : trail.length - 1
    closeFrom(trail, kept)
    names.length = kept
    ahead.push(...onward.reverse())
  }
}

function closeFrom(trail: Step[], kept: number): void {
  for (const step of trail.splice(kept)) step.close()
}

function tooDeep(path: string): FileProblem {
  return refused("invalid_path", path, `${path} lies more than ${MAX_DEPTH} folders deep.`)
}

function missing(
  root: Root,
  path: string,
  step: Step,
  names: readonly string[],
  rest: readonly string[],
): Omit<Place, "close"> | FileProblem {
  if (rest.includes("..")) return notFound(path)
  if (names.length + rest.length > MAX_DEPTH) return tooDeep(path)
  if (isHidden(root, [...names, ...rest])) return hidden(path)
  return { status: "reached", step, folder: step, names, rest }
}

function enterOrMissing(root: Root, folder: Step, name: string): Step | undefined {
  try {
    return root.steps.enter(folder, name)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** The components of a relative path, or of an absolute one that lies in the root. */
function componentsBelow(root: Root, path: string): string[] | undefined {
  const inside = isAbsolute(path)
    ? (below(root.path, path) ?? below(root.path, realSpelling(path)))
    : path
  return inside === undefined ? undefined : namesIn(inside)
}

function namesIn(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : "/").filter(name => name !== "" && name !== ".")
}

function isNotEmpty(names: readonly string[]): boolean {
  return names.length > 0
}

function below(folder: string, path: string): string | undefined {
  if (path === folder) return ""
  const prefix = folder.endsWith(sep) ? folder : folder + sep
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** An absolute path may name the root through a link of its own (/tmp on macOS). */
function realSpelling(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realSpelling(parent), basename(path))
  }
}
