import { closeSync, readdirSync, readFileSync } from "node:fs"

/** Of a descriptor that a program started from here does not inherit. */
const O_CLOEXEC = 0o2000000

/**
 * Closes what the worker was left by whoever started harness: descriptors that every command would
 * inherit too. Node's own all close by themselves; `keep` is the channel to the controller. Linux
 * only, elsewhere they cannot be listed.
 */
export function closeInheritedDescriptors(keep: number | undefined): void {
  for (const name of descriptors()) {
    const descriptor = Number(name)
    if (descriptor > 2 && descriptor !== keep && isInherited(descriptor)) closeSync(descriptor)
  }
}

/** The channel's descriptor; Node takes it out of `process.env` but not out of the process's own. */
export function channelDescriptor(): number | undefined {
  const environment = read("/proc/self/environ")
  const value = /(?:^|\0)NODE_CHANNEL_FD=(\d+)/.exec(environment)?.[1]
  return value === undefined ? undefined : Number(value)
}

function descriptors(): string[] {
  try {
    return readdirSync("/proc/self/fdinfo")
  } catch {
    return []
  }
}

function isInherited(descriptor: number): boolean {
  const flags = /^flags:\s+0?([0-7]+)$/m.exec(read(`/proc/self/fdinfo/${descriptor}`))?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
