/**
 * The one list of control files: they make the host run code that nobody started. Commands find them
 * read-only; a file action needs the permit `control_file`. A pattern holds anywhere in the tree, so
 * that a nested repository's count too; case does not matter, for it may not to the file system.
 */
export const controlFiles = [
  ".git/hooks/**",
  ".git/config",
  ".git/config.worktree",
  ".git/info/attributes",
  ".git/modules/**/hooks/**",
  ".git/modules/**/config",
  ".git/commondir",
  ".git/worktrees/**/commondir",
  ".git/worktrees/**/config.worktree",
  ".gitmodules",
  ".envrc",
  ".vscode/tasks.json",
  ".vscode/settings.json",
  ".vscode/launch.json",
  ".idea/**",
  ".devcontainer/**",
  ".devcontainer.json",
  ".harness/**",
] as const

/** Files that steer what others run: changes are reported in a receipt, not stopped. */
export const reportedFiles = ["package.json", "Makefile", "AGENTS.md", "CLAUDE.md"] as const

/** File names whose content is a secret; `secrets.files` of the configuration replaces the list. */
export const defaultSecretFiles = [
  ".env",
  ".env.*",
  "!.env.example",
  "!.env.sample",
  "!.env.template",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.keystore",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".npmrc",
  ".pypirc",
  ".netrc",
  ".git-credentials",
] as const

/**
 * The control file that a path names, as the pattern that it matches; null for any other path.
 * Relative to the root, with `/`; whether the file exists does not matter. A path that ends in `.git`
 * is one: as a file it says where git finds its hooks.
 *
 * @example
 * controlFile("vendor/lib/.git/hooks/pre-commit") // ".git/hooks/**"
 */
export function controlFile(path: string): string | null {
  if (!MAYBE_CONTROL.test(path)) return null
  const names = path.split("/").map(foldedName)
  if (names.at(-1) === ".git") return ".git"

  const found = controlFiles.find(pattern => {
    const wanted = pattern.split("/")
    return names.some((_, from) => matches(names.slice(from), wanted))
  })
  return found ?? null
}

/** All of them begin with a dot. It is asked for every file action: what cannot be one costs nothing. */
const MAYBE_CONTROL = /(?:^|\/)\.|[^\0-\x7F]/

/** True for a file whose changes are reported: by its last name. */
export function isReported(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  return reportedFiles.some(each => each.toLowerCase() === name)
}

/**
 * True when the last name of a path matches one of the patterns (`*` stands for any characters);
 * of several that match, the last decides, and one with `!` takes the file out.
 *
 * @example
 * isSecretFile("config/.env.local", defaultSecretFiles) // true
 */
export function isSecretFile(path: string, patterns: readonly string[]): boolean {
  const written = path.slice(path.lastIndexOf("/") + 1)
  const names = [foldedSpelling(written), foldedName(written)]
  const last = patterns.findLast(pattern => {
    const wanted = foldedSpelling(pattern.replace(/^!/, ""))
    return names.some(name => glob(wanted, name))
  })
  return last !== undefined && !last.startsWith("!")
}

/**
 * One spelling for the names that some file system takes for the same: in any case and composition,
 * with characters that are ignored (HFS+) or dots and spaces at the end (Windows). To compare only.
 *
 * @example
 * foldedName(".Git.") // ".git"
 */
export function foldedName(name: string): string {
  return foldedSpelling(name).replace(/(?<=[^. ])[. ]+$/, "")
}

/** A folder that holds control files is one too: `rename` of `.git/hooks` would replace them all. */
function matches(names: readonly string[], wanted: readonly string[]): boolean {
  const [want, ...wantedRest] = wanted
  const [name, ...namesRest] = names
  if (want === undefined) return names.length === 0
  if (want !== "**") {
    return name !== undefined && glob(want.toLowerCase(), name) && matches(namesRest, wantedRest)
  }
  if (wantedRest.length === 0) return true
  return matches(names, wantedRest) || (name !== undefined && matches(namesRest, wanted))
}

const IGNORED = /[\u200C-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g

function foldedSpelling(name: string): string {
  if (!/[^\0-\x7F]/.test(name)) return name.toLowerCase()
  return name.normalize("NFKC").replace(IGNORED, "").toLowerCase()
}

/** `*` stands for any characters. No regular expression: to make one takes longer than to look. */
function glob(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*")
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false

  let from = first.length
  for (const part of rest) {
    const at = name.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}
