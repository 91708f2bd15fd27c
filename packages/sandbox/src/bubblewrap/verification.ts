import { isBelow, isWithin } from "../paths.ts"
import { quoted } from "../quoted.ts"
import type { Mount } from "./mounts.ts"

/** Carries the command's variables to the shell that looks. */
const VARIABLES = "harness_variables"

/**
 * Looks at the kernel's list of mounts, from within: each that was expected must be there, else one
 * went elsewhere. What it compares comes as the first argument, the command after it.
 */
const script = `
expected=$1; shift
while read -r _ _ device from point _; do
  for found in "$device $from $point" "- $from $point"; do
    case $expected in *"|$found|"*) expected="\${expected%%"|$found|"*}|\${expected#*"|$found|"}" ;; esac
  done
done < /proc/self/mountinfo
if [ "$expected" != "|" ]; then
  echo "harness: the project changed while its sandbox was made; nothing was started" >&2
  exit 126
fi
variables=$${VARIABLES}
unset ${VARIABLES}
eval "$variables"
exec "$@"`

/** Variables that this shell can set; others of its own it refuses, changes or heeds. */
const SETTABLE =
  /^(?!IFS$|ENV$|OPT|PS\d$|U?ID$|GID$|EUID$|EGID$|PPID$|BASH|SHELLOPTS$|variables$)[A-Za-z][A-Za-z0-9_]*$/

/** A command and its variables. */
type Started = { argv: readonly string[]; env: Readonly<Record<string, string>> }

/**
 * The command, which starts only when every mount of and in a writable folder is where it was meant
 * to be. Somebody who writes there can put a link in the place of a folder just when bubblewrap
 * mounts over it, and bubblewrap follows links: into the rest of the file system, for writing.
 *
 * The shell that looks is not given the command's variables as such, for one of them could load a
 * library into it: it sets them when all is well. Everybody can read arguments, so they are not there.
 */
export function verified(
  { argv, env }: Started,
  mounts: readonly Mount[],
  hostMounts: string,
): Started {
  const expected = expectedMounts(mounts, hostMounts)
  const list = `|${expected.map(line => `${line}|`).join("")}`
  const variables = Object.entries(env)
  const exports = variables
    .filter(([name]) => SETTABLE.test(name))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  const others = variables
    .filter(([name]) => !SETTABLE.test(name))
    .map(([name, value]) => `${name}=${value}`)
  const command = others.length === 0 ? argv : ["/usr/bin/env", "--", ...others, ...argv]
  return {
    argv: ["/bin/sh", "-c", script, "sh", list, ...command],
    env: { [VARIABLES]: exports.join("") },
  }
}

/** As `device from point` of /proc/self/mountinfo; `-` for the device of a new file system. */
export function expectedMounts(mounts: readonly Mount[], hostMounts: string): string[] {
  const writable = mounts.filter(({ type }) => type === "writable")
  const inside = mounts.filter(({ path }) => writable.some(place => isWithin(path, place.path)))
  const host = parsed(hostMounts)

  return inside.map(mount => {
    const point = encoded(mount.path)
    if (mount.type === "fresh" || (mount.type === "hidden" && mount.of === "folder")) {
      return `- / ${point}`
    }
    return `${originOf(encoded(sourceOf(mount)), host)} ${point}`
  })
}

function sourceOf(mount: Mount): string {
  if (mount.type === "shown" || mount.type === "tool") return mount.source
  return mount.type === "hidden" ? "/dev/null" : mount.path
}

type HostMount = { device: string; from: string; point: string }

function parsed(mounts: string): HostMount[] {
  return mounts.split("\n").flatMap(line => {
    const [, , device, from, point] = line.split(" ")
    if (device === undefined || from === undefined || point === undefined) return []
    return [{ device, from, point }]
  })
}

/** The device and the place on it that a path of the host has. Of mounts at one point the last counts. */
function originOf(path: string, host: readonly HostMount[]): string {
  const around = host.filter(({ point }) => path === point || isBelow(path, point))
  const nearest = around.reduce<HostMount | undefined>(
    (best, each) => (best && best.point.length > each.point.length ? best : each),
    undefined,
  )
  if (nearest === undefined) return "- -"
  const { device, from, point } = nearest
  const below = path.slice(point === "/" ? 0 : point.length)
  return `${device} ${from === "/" && below !== "" ? "" : from}${below}`
}

/** As the kernel writes a path into a line. */
function encoded(path: string): string {
  return path.replaceAll(
    /[ \t\n\\]/g,
    character => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  )
}
