import { join, parse } from "node:path"

/** The folders that a log never names. Real, absolute paths. */
export type Places = { root: string; home: string; temp: string }

/** Takes the places out of a line of JSON, and puts the live ones back in. */
export interface Placeholders {
  /** `/home/jo/shop/a.ts` becomes `{root}/a.ts`; text that looks like `{root}` becomes `{!root}`. */
  encode(line: string): string
  decode(line: string): string
}

/**
 * Stores paths as `{root}`, `{home}` and `{temp}`, so that a log can be read on another machine or
 * beside a renamed folder and then names the places there.
 *
 * Works on serialised JSON (paths are looked for as JSON escapes them) with one regular expression
 * in each direction. `decode(encode(line)) === line` for every line, whatever the places are: each
 * literal `{!…root}` gets one more `!`, and what is left without any was a path. The longest path
 * goes first; of equal ones the first of root, temp, home.
 *
 * @example
 * createPlaceholders({ root: "/home/jo/shop", home: "/home/jo", temp: "/tmp/h1" })
 */
export function createPlaceholders(places: Places): Placeholders {
  const names = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const name of ["root", "temp", "home"] as const) {
    const path = escaped(withoutSlash(places[name]))
    paths.set(name, path)
    if (!names.has(path) && !isTop(places[name])) names.set(path, name)
  }

  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
  const found = longestFirst.map(path => RegExp.escape(path)).join("|")
  const pattern = found === "" ? literal : `${literal}|${before}(?:${found})${after}`
  const stored = new RegExp(pattern, "g")
  const tokens = new RegExp(literal, "g")

  return {
    encode: line =>
      line.replace(stored, match => {
        const name = names.get(match)
        return name === undefined ? `{!${match.slice(1)}` : `{${name}}`
      }),
    decode: line =>
      line.replace(tokens, match =>
        match[1] === "!" ? `{${match.slice(2)}` : (paths.get(match.slice(1, -1)) ?? match),
      ),
  }
}

const literal = String.raw`\{!*(?:root|temp|home)\}`

/**
 * Letters and digits, spelled out: `\p{L}` takes milliseconds to compile in so many places. Symbols,
 * typographic quotes and emoji are none, so that a path beside them is found.
 */
const letters = String.raw`A-Za-z0-9_\u00c0-\u1fff\u2c00-\u2dff\u2e80-\u2fff\u3040-\ud7ff\uf900-\ufdff`

/** What a name in front of a slash can end with: `/srv/tmp/a` and `${HOME}/tmp/a` are not `/tmp/a`. */
const nameBefore = `[${letters}.~/})*-]`

/** Where a text can begin: after no name, an escape of any depth, a colour code, or `file://`. */
const start = [
  `(?<!${nameBefore})`,
  String.raw`(?<=\\[bfnrt])`,
  String.raw`(?<=\\u[0-9a-f]{4})`,
  String.raw`(?<=\\u001b\[[0-9;]*m)`,
  String.raw`(?<=:\/\/)`,
].join("|")

/** A path begins where a text can, or behind a flag (`-I/tmp/a`) or a diff's minus there. */
const before = `(?:${start}|(?<=(?:${start})-[A-Za-z]?))`

/** A path ends where no name goes on: `/tmp/a` is not in `/tmp/ab`, `/tmp/a-b` or `/tmp/a.txt`. */
const after = String.raw`(?![${letters}~-]|\.+[${letters}])`

/** A path as it stands inside a JSON string. */
function escaped(path: string): string {
  return JSON.stringify(path).slice(1, -1)
}

function withoutSlash(path: string): string {
  const { dir, base } = parse(path)
  return join(dir, base)
}

/** `/`, `C:\` and nothing at all are in too many texts to mean a place. */
function isTop(path: string): boolean {
  return path === parse(path).root
}
