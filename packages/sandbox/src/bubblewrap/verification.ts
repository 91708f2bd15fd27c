import { isBelow, isWithin } from "../paths.ts"
import type { Mount } from "./mounts.ts"

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
exec "$@"`

/**
 * The command, which starts only when every mount of and in a writable folder is where it was meant
 * to be. Somebody who writes there can put a link in the place of a folder just when bubblewrap
 * mounts over it, and bubblewrap follows links: into the rest of the file system, for writing.
 *
 * It is to be started without variables: the command gets its own when all is well, for one of them
 * could load a library into the shell that looks.
 */
export function verified(
  { argv, env }: { argv: readonly string[]; env: Readonly<Record<string, string>> },
  mounts: readonly Mount[],
  hostMounts: string,
): string[] {
  const expected = expectedMounts(mounts, hostMounts)
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const list = `|${expected.map(line => `${line}|`).join("")}`
  return ["/bin/sh", "-c", script, "sh", list, "/usr/bin/env", "-i", "--", ...variables, ...argv]
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
