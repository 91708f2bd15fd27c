/** What a command inherits of the worker's own environment; everything else stays out of reach. */
const INHERITED = ["PATH", "HOME", "LANG", "TERM", "USER", "SHELL", "TZ"]

/** What a program cannot start without on Windows. */
const INHERITED_ON_WINDOWS = ["SystemRoot", "ComSpec", "PATHEXT", "USERPROFILE", "TEMP", "TMP"]

export type EnvironmentOptions = {
  /** The worker's own variables. */
  own: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The conversation's temporary folder. */
  temp: string
  /** `environment.allow` of the configuration, resolved by the controller. */
  allowed: Readonly<Record<string, string>>
  /** Marks every process of the conversation. */
  tag: string
}

/** The least environment that every command gets; it is built, never filtered. */
export function leastEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { own, platform, temp, allowed, tag } = options
  const inherited = inheritedEnvironment(own, platform)
  return { ...inherited, TMPDIR: temp, ...allowed, HARNESS_SESSION: tag }
}

/** The environment of one command: the tag stays whatever the command asks for. */
export function commandEnvironment(
  least: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const { HARNESS_SESSION = "" } = least
  return { ...least, ...added, HARNESS_SESSION }
}

function inheritedEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const names = new Set(INHERITED)
  if (platform === "win32") for (const name of INHERITED_ON_WINDOWS) names.add(name)

  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (names.has(name) || name.startsWith("LC_"))) inherited[name] = value
  }
  return inherited
}
