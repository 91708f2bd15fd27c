import type { ProcessSpec } from "@harness/sdk"

/**
 * What is started for a process: its argv, or the shell of the system with its line. Undefined when
 * it has neither or both.
 */
export function argvOf(
  { argv, shell, shellPath }: ProcessSpec,
  platform: NodeJS.Platform,
): readonly string[] | undefined {
  if (shell === undefined) return argv !== undefined && argv.length > 0 ? argv : undefined
  if (argv !== undefined) return undefined
  if (shellPath === undefined && platform === "win32") return [...powerShell, shell]
  return [shellPath ?? "/bin/sh", "-c", shell]
}

/** Without the user's profile, which is not the model's, and without a question to anybody. */
const powerShell = ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command"]
