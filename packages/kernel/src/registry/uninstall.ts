import { failure, type PackageState } from "@harness/protocol"
import { exclusively } from "./exclusive.ts"
import { slotsOf } from "./install.ts"
import { stateOf } from "./installed.ts"
import { type HarnessLock, readLock, writeLock } from "./lock.ts"
import type { RegistryOptions } from "./options.ts"
import { removeStrays } from "./slots.ts"

/** Removes a package: first from `harness.lock`, then its files. Answers what it was. */
export async function uninstall(
  wanted: string,
  { home, builtins }: RegistryOptions,
): Promise<PackageState> {
  if (installedName(readLock(home), wanted) === undefined) {
    const builtin = builtins.find(({ name }) => namesFor(wanted).includes(name))
    if (builtin !== undefined) throw failure("package_builtin", { name: builtin.name })
    throw failure("package_not_installed", { name: wanted })
  }

  return exclusively(home, async stillHeld => {
    const before = readLock(home)
    const name = installedName(before, wanted)
    const locked = name === undefined ? undefined : before.packages[name]
    if (name === undefined || locked === undefined) {
      throw failure("package_not_installed", { name: wanted })
    }

    const state = stateOf(home, name, locked)
    const { [name]: _removed, ...packages } = before.packages
    stillHeld()
    await writeLock(home, { ...before, packages })
    await removeStrays(home, slotsOf({ ...before, packages }))
    return state
  })
}

/** A name as it stands, or a short name of ours. */
function installedName({ packages }: HarnessLock, wanted: string): string | undefined {
  return namesFor(wanted).find(name => Object.hasOwn(packages, name))
}

function namesFor(wanted: string): string[] {
  return [wanted, `@harness/${wanted}`]
}
