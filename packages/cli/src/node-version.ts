/** The oldest Node that runs harness, as package.json says too. */
const oldest = { major: 24, minor: 15 }

/**
 * The one line for a Node that is too old; undefined for one that will do. Called before anything is
 * loaded that an old one cannot link.
 */
export function nodeTooOld(version: string, path: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined
  return `error node: harness needs Node ${oldest.major}.${oldest.minor} or newer, and this is Node ${version} (${path})\n`
}
