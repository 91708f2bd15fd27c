import { createRequire } from "node:module"
import type { Theme, ThemeStyle } from "../contracts.ts"
import type { Span } from "./spans.ts"

/** Longer sources are shown without colours: they would hold up what a person waits for. */
const mostCharacters = 200_000

/**
 * Colours a source: its lines as spans. A language that is not known comes out plain. Grammars are
 * loaded one by one, with their first use.
 *
 * @example
 * const highlight = createHighlighter()
 * highlight("const a = 1", "ts") // [[{ text: "const", styles: ["keyword"] }, …]]
 */
export function createHighlighter(): Theme["highlight"] {
  const require = createRequire(import.meta.url)
  const known = new Map<string, boolean>()
  let own: Library | undefined

  /** The language's grammar, or null when there is none. */
  function withGrammar(name: string): Library | null {
    own ??= newLibrary(require("highlight.js/lib/core"))
    const isKnown = known.get(name) ?? register(own, name)
    known.set(name, isKnown)
    return isKnown ? own : null
  }

  function register(library: Library, name: string): boolean {
    const grammar: unknown = require(`highlight.js/lib/languages/${name}`)
    if (!isGrammar(grammar)) return false
    library.registerLanguage(name, grammar)
    return true
  }

  return (source, language) => {
    const name = grammars[language.toLowerCase().replace(/[\s{,:].*$/s, "")]
    const isShort = source.length <= mostCharacters
    const library = name !== undefined && isShort ? withGrammar(name) : null
    if (library === null || name === undefined) return plain(source)
    return spansOf(library.highlight(source, { language: name, ignoreIllegals: true }).value)
  }
}

/**
 * What we use of the library. Its own declarations bring in those of a browser, and with them names
 * that Node does not have.
 */
interface Library {
  newInstance(): Library
  registerLanguage(name: string, grammar: Grammar): void
  highlight(
    source: string,
    options: { language: string; ignoreIllegals: boolean },
  ): { value: string }
}

/** Given to the library as it comes. */
type Grammar = (library: Library) => unknown

function newLibrary(core: unknown): Library {
  if (!isLibrary(core)) throw new Error("highlight.js/lib/core has no newInstance")
  return core.newInstance()
}

function isLibrary(value: unknown): value is Library {
  return typeof value === "object" && value !== null && "newInstance" in value
}

function isGrammar(value: unknown): value is Grammar {
  return typeof value === "function"
}

function plain(source: string): Span[][] {
  return source.split("\n").map(text => (text === "" ? [] : [{ text, styles: [] }]))
}

/** Names of languages and endings of files, by grammar. */
const grammars: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    bash: "bash sh shell zsh console",
    c: "c h",
    cpp: "cpp cc cxx hpp c++",
    csharp: "csharp cs c#",
    css: "css",
    diff: "diff patch",
    dockerfile: "dockerfile docker",
    elixir: "elixir ex exs",
    go: "go golang",
    graphql: "graphql gql",
    haskell: "haskell hs",
    ini: "ini toml cfg conf",
    java: "java",
    javascript: "javascript js mjs cjs jsx",
    json: "json jsonc jsonl",
    kotlin: "kotlin kt kts",
    less: "less",
    lua: "lua",
    makefile: "makefile make mk",
    markdown: "markdown md",
    nix: "nix",
    perl: "perl pl",
    php: "php",
    powershell: "powershell ps1",
    python: "python py python3 pyi",
    ruby: "ruby rb",
    rust: "rust rs",
    scala: "scala",
    scss: "scss sass",
    sql: "sql",
    swift: "swift",
    typescript: "typescript ts mts cts tsx",
    xml: "xml html htm svg vue",
    yaml: "yaml yml",
  }).flatMap(([grammar, names]) => names.split(" ").map(name => [name, grammar])),
)

const spanOrText = /<span class="([^"]*)">|<\/span>|\n|[^<\n]+/g

/** The library gives HTML of its own making: spans that are nested, and text with entities. */
function spansOf(html: string): Span[][] {
  const lines: Span[][] = [[]]
  const open: (ThemeStyle | null)[] = []
  for (const [piece, classes] of html.matchAll(spanOrText)) {
    if (classes !== undefined) open.push(styleOf(classes))
    else if (piece === "</span>") open.pop()
    else if (piece === "\n") lines.push([])
    else {
      const style = open.findLast(each => each !== null)
      lines.at(-1)?.push({ text: unescaped(piece), styles: style ? [style] : [] })
    }
  }
  return lines
}

function styleOf(classes: string): ThemeStyle | null {
  const [name = ""] = classes.replace("hljs-", "").split(/[ _]/)
  return styles[name] ?? null
}

const styles: Readonly<Record<string, ThemeStyle>> = {
  keyword: "keyword",
  "selector-tag": "keyword",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  doctag: "comment",
  title: "name",
  attr: "name",
  attribute: "name",
  name: "name",
  type: "name",
  section: "heading",
  addition: "added",
  deletion: "removed",
  meta: "muted",
}

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|#x27);/g, (_entity, name) => entities[name] ?? "")
}

const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#x27": "'",
}
