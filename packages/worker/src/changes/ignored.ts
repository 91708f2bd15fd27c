import type { Root } from "../files/walk.ts"
import { readAsSeen } from "./reading.ts"
import { type FileStat, type Ignoring, isSame } from "./snapshot.ts"

/** One line of a `.gitignore`. */
type Rule = { matches(path: string): boolean; ignores: boolean }

type Rules = { stat: FileStat | undefined; rules: readonly Rule[] }

/** A longer file of rules, or a line with more stars, is none that people write. */
const LIMIT_BYTES = 65_536
const STARS_AT_MOST = 5

/**
 * The folders that the `.gitignore` files of the tree leave out; their rules are remembered from one
 * look to the next. A folder that git tracks files in is never ignored.
 */
export function ignoredFolders(root: Root, isTracked: (folder: string) => boolean): Ignoring {
  const known = new Map<string, Rules>()
  const verdicts = new Map<string, boolean>()

  return {
    async enter(folder, rulesFile) {
      const before = known.get(folder)
      if (isUnchanged(before?.stat, rulesFile)) return

      verdicts.clear()
      if (rulesFile === undefined) known.delete(folder)
      else known.set(folder, { stat: rulesFile, rules: await read(folder, rulesFile) })
    },

    ignores(folder) {
      if (isTracked(folder)) return false
      const verdict = verdicts.get(folder) ?? judge(folder)
      verdicts.set(folder, verdict)
      return verdict
    },
  }

  async function read(folder: string, stat: FileStat): Promise<Rule[]> {
    const path = folder === "" ? ".gitignore" : `${folder}/.gitignore`
    const content = stat.bytes > LIMIT_BYTES ? undefined : await readAsSeen(root, path, stat)
    return content === undefined ? [] : rulesOf(content.bytes.toString())
  }

  /** The nearest file of rules that says something decides, and its last line that does. */
  function judge(folder: string): boolean {
    for (let base = parentOf(folder); base !== undefined; base = parentOf(base)) {
      const path = base === "" ? folder : folder.slice(base.length + 1)
      const rule = known.get(base)?.rules.findLast(({ matches }) => matches(path))
      if (rule !== undefined) return rule.ignores
    }
    return false
  }
}

/** The lines of a `.gitignore` that may be about folders, relative to its own folder. */
function rulesOf(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap(line => ruleOf(line.replace(/(?<!\\)\s+$/, "")) ?? [])
}

function ruleOf(line: string): Rule | undefined {
  if (line === "" || line.startsWith("#")) return undefined
  const ignores = !line.startsWith("!")
  const pattern = (ignores ? line : line.slice(1)).replace(/\/$/, "")
  if ((pattern.match(/\*+/g)?.length ?? 0) > STARS_AT_MOST) return undefined

  const anchored = pattern.replace(/^\//, "")
  const whole = pattern.includes("/") ? anchored : `**/${anchored}`
  try {
    const expression = new RegExp(`^${expressionOf(whole)}$`, "s")
    return { matches: path => expression.test(path), ignores }
  } catch {
    return undefined
  }
}

const TOKEN = /(?<=^|\/)\*\*\/|(?<=^|\/)\*\*$|\*+|\?|\[[!^]?\]?[^\]/]*\]|\\.|./gsu

function expressionOf(pattern: string): string {
  const tokens = pattern.match(TOKEN) ?? []
  return tokens
    .map((token, at) => {
      const before = tokens[at - 1] ?? "/"
      const isWhole = token === "**" && at === tokens.length - 1 && before.endsWith("/")
      return expressionOfToken(token, isWhole)
    })
    .join("")
}

/** `isWhole`: two stars at the end, after a slash, stand for everything that is there. */
function expressionOfToken(token: string, isWhole: boolean): string {
  if (token === "**/") return "(?:.*/)?"
  if (token.startsWith("*")) return isWhole ? ".*" : "[^/]*"
  if (token === "?") return "[^/]"
  if (token.startsWith("[") && token.length > 1) {
    return token.replace(/^\[!/, "[^").replaceAll("\\", "\\\\")
  }
  return token.replace(/^\\(?=.)/s, "").replaceAll(/[.+*?^${}()|[\]\\/]/g, "\\$&")
}

function isUnchanged(one: FileStat | undefined, other: FileStat | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return isSame(one, other)
}

/** The folder above: the empty text for the root, undefined above it. */
function parentOf(folder: string): string | undefined {
  if (folder === "") return undefined
  return folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))
}
