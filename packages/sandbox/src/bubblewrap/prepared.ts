import { readFileSync, statSync } from "node:fs"
import type { Wrapped } from "../provider.ts"
import { quoted } from "../quoted.ts"
import type { Mount } from "./mounts.ts"

/** What waits for the command: it reads what it is to do from its standard input. */
export const LAUNCHER = ["/bin/sh"]

/** A shell reads its lines piece by piece: a long one is as fast the ordinary way. */
const LINE_CHARACTERS = 65_536

/** Says that the sandbox is made, by the pipe that it then closes. */
export function greetingBy(descriptor: number): string {
  return `echo >&${descriptor}; exec ${descriptor}>&-\n`
}

/**
 * Nothing runs before the brace is closed: half a line, of a worker that was killed, is no command.
 * Undefined for what a shell cannot be told.
 */
export function launchLine(argv: readonly string[]): string | undefined {
  const words = argv.map(quoted).join(" ")
  if (words.length > LINE_CHARACTERS || words.includes("\0")) return undefined
  return `{ exec ${words} </dev/null\n}\n`
}

/**
 * Equal only when the same would be mounted, from the same places, and all else is as it was. That a
 * place was removed and made anew is seen by the mounts: they go with what they lie on.
 */
export function identityOf(wrapped: Wrapped, mounts: readonly Mount[], cwd: string): string {
  const mounted = new Set(mounts.flatMap(sourceOf))
  const places = [...mounted].map(path => thingAt(path))
  // Nothing is mounted on it, so its birth must tell. Where that is unknown it is its last change.
  const folder = mounted.has(cwd) ? "" : thingAt(cwd, { birth: true })
  return JSON.stringify([wrapped, hostMounts(), places, folder])
}

/** The mounts as a process has them. */
export function mountsSeenBy(process: number | undefined): string {
  if (process === undefined) throw new Error("nothing was started")
  return readFileSync(`/proc/${process}/mountinfo`, "utf8")
}

function hostMounts(): string {
  return readFileSync("/proc/self/mountinfo", "utf8")
}

/** None of what covers a place with something new. */
function sourceOf(mount: Mount): string[] {
  if (mount.type === "shown" || mount.type === "tool") return [mount.source]
  return mount.type === "fresh" || mount.type === "hidden" ? [] : [mount.path]
}

function thingAt(path: string, { birth } = { birth: false }): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return "nothing"
  const { dev, ino, birthtimeNs, ctimeNs } = stats
  const born = birthtimeNs > 0n ? birthtimeNs : ctimeNs
  return `${dev}:${ino}${birth ? `:${born}` : ""}`
}
