type Variables = Readonly<Record<string, string | undefined>>

const inherited = new Set(["PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER", "SHELL", "TZ"])

/**
 * What the worker's own process gets of the controller's environment: the fixed few that commands
 * inherit, and nothing that could be a secret. On Windows also what a process cannot start without.
 */
export function workerEnvironment(env: Variables): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (inherited.has(entry[0]) ||
        entry[0].startsWith("LC_") ||
        windows.has(entry[0].toUpperCase())),
  )
  return Object.fromEntries(kept)
}

const windows = new Set(["SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "TEMP", "TMP"])

/** The variables of `environment.allow` that are set. */
export function allowedVariables(env: Variables, allow: readonly string[]): Record<string, string> {
  const found = allow.flatMap(name => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}
