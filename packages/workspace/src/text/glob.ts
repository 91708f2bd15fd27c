/** Tells whether a path below the root, with `/`, is meant by a pattern. */
export type PathTest = (path: string) => boolean

/** More of them in one pattern could make a match take for ever, and say nothing that fewer do not. */
const STARS_AT_MOST = 5

/**
 * Reads a glob: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. A pattern without
 * `/` is about the name alone, at any depth. Names that begin with a dot are not special. Null for
 * a pattern that cannot be read.
 */
export function pathTest(pattern: string): PathTest | null {
  if (pattern === "" || (pattern.match(/\*+/g)?.length ?? 0) > STARS_AT_MOST) return null
  const anchored = pattern.replace(/^\.?\//, "")
  const whole = anchored === pattern && !pattern.includes("/") ? `**/${pattern}` : anchored
  const folder = whole.endsWith("/") ? `${whole}**` : whole

  try {
    const expression = new RegExp(`^${expressionOf(folder)}$`, "su")
    return path => expression.test(path)
  } catch {
    return null
  }
}

/**
 * A glob about the name alone that every path of `pattern` meets, in words that ripgrep shares:
 * with it, files that are surely not meant are never opened. Null when there is none.
 */
export function nameGlob(pattern: string): string | null {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1)
  const isShared = /^(?:[\w.*?-]|\{[\w.*?,-]+\})+$/.test(name)
  const isWholeBrace = !/[{}]/.test(pattern.slice(0, pattern.length - name.length))
  return isShared && isWholeBrace && !name.includes("**") ? name : null
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|[{},]|\\.|./gsu

function expressionOf(pattern: string): string {
  const braces = { open: 0, wanted: isBalanced(pattern) }
  return (pattern.match(TOKEN) ?? []).map(token => expressionOfToken(token, braces)).join("")
}

function expressionOfToken(token: string, braces: { open: number; wanted: boolean }): string {
  switch (token) {
    case "**/":
      return "(?:[^/]+/)*"
    case "**":
      return ".*"
    case "*":
      return "[^/]*"
    case "?":
      return "[^/]"
    case "{":
      if (!braces.wanted) return "\\{"
      braces.open += 1
      return "(?:"
    case "}":
      if (!braces.wanted) return "\\}"
      braces.open -= 1
      return ")"
    case ",":
      return braces.open > 0 ? "|" : ","
    default:
      return token.length > 1 && token.startsWith("[") ? classOf(token) : literal(token)
  }
}

function isBalanced(pattern: string): boolean {
  let open = 0
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token === "{") open += 1
    if (token === "}") open -= 1
    if (open < 0) return false
  }
  return open === 0
}

function classOf(token: string): string {
  const isNegated = token[1] === "!" || token[1] === "^"
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/[\\\][^]/g, "\\$&")
  return isNegated ? `[^/${members}]` : `[${members}]`
}

function literal(token: string): string {
  const character = token.length > 1 && token.startsWith("\\") ? token.slice(1) : token
  return RegExp.escape(character)
}
