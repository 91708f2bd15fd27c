/**
 * The words of a command that a rule for its like would name, or null where no such rule is offered:
 * what removes, reaches out, or runs whatever it is told to is asked about every time.
 *
 * @example
 * offeredPrefix(["npm", "run", "build", "--watch"]) // "npm run build"
 * offeredPrefix(["pytest", "-x", "tests"]) // "pytest"
 * offeredPrefix(["sh", "-c", "make"]) // null
 */
export function offeredPrefix(words: readonly (string | null)[]): string | null {
  const [name = null, second = null, third = null] = words
  if (name === null || !named.test(name)) return null
  const program = name.slice(name.lastIndexOf("/") + 1)
  if (never.has(program)) return null

  if (interpreters.test(program)) {
    // A script, or a module of Python: `python -m pytest`.
    if (second === "-m" && isPlain(third)) return `${name} -m ${third}`
    return isPlain(second) ? `${name} ${second}` : null
  }
  const known = subcommands.get(program)
  if (known === undefined) return name
  if (!isPlain(second) || known.never.includes(second)) return null
  if (!known.named.includes(second)) return `${name} ${second}`
  return isPlain(third) ? `${name} ${second} ${third}` : null
}

/** A word that is no option and would stand in a rule as it stands in the command. */
function isPlain(word: string | null): word is string {
  return word !== null && named.test(word)
}

const named = /^[\w./@][\w./@:+-]*$/

const interpreters =
  /^(?:(?:ba|da|k|z|fi)?sh|python[\d.]*|pypy[\d.]*|node|ruby|perl|php|lua|Rscript|osascript|pwsh)$/

type Subcommands = { never: readonly string[]; named: readonly string[] }

const packageManager: Subcommands = {
  never: "exec x dlx config publish unpublish login init create".split(" "),
  named: ["run", "run-script", "workspace"],
}

const runtime: Subcommands = {
  never: "eval exec x create init install publish repl".split(" "),
  named: ["run", "task"],
}

const git: Subcommands = {
  never: "bisect clean config filter-branch gc reset restore rm submodule".split(" "),
  named: ["stash", "worktree", "remote"],
}

const builder: Subcommands = { never: ["exec", "run", "publish", "shell", "eval"], named: [] }

/** Programs that do what their first word says; `named`: the word after it says what. */
const subcommands = new Map<string, Subcommands>([
  ...["npm", "pnpm", "yarn"].map(name => [name, packageManager] as const),
  ...["bun", "deno"].map(name => [name, runtime] as const),
  ["git", git],
  ...(
    "cargo go make just task dotnet gradle mvn bazel swift zig mix dart flutter rails composer " +
    "pip pip3 uv poetry bundle hg svn jj nix"
  )
    .split(" ")
    .map(name => [name, builder] as const),
])

/** Removes, changes rights, reaches out, runs what it is given, or changes what commands mean. */
const never = new Set(
  [
    "rm rmdir unlink shred truncate dd mkfs mv cp ln install rsync tee chmod chown chgrp",
    "kill pkill killall sudo doas su pkexec runuser chroot unshare nsenter",
    "tar patch psql mysql sqlite3 gh glab apt apt-get brew",
    "curl wget nc ncat socat ssh scp sftp ftp telnet docker podman kubectl helm terraform aws gcloud",
    "env xargs nohup time nice ionice timeout setsid stdbuf strace ltrace watch parallel find awk gawk",
    "sed ed ex vi vim nvim emacs npx bunx pipx uvx busybox script expect crontab at systemctl mount",
    "eval exec source . command builtin trap alias unalias set shopt enable hash bind fc",
    "read printf test [ let declare typeset local export readonly unset mapfile readarray wait coproc",
  ].flatMap(line => line.split(" ")),
)
