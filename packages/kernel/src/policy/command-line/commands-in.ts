/** A simple command as it stands in a line. */
export type SimpleCommand = {
  text: string
  /**
   * Null stands for a word that is no plain text: an expansion, a glob, one with escapes. A command
   * that no rule may cover has null for its first: its name is not known, or it could change what
   * others of the line mean.
   */
  words: readonly (string | null)[]
}

/** What a command line runs, in the order in which it stands there. */
export type CommandLine = {
  commands: readonly SimpleCommand[]
  /** Redirects that write files, as they stand in the line: `> out.txt`. */
  writes: readonly string[]
}

/** What is looked at of a node of tree-sitter's tree. */
export type SyntaxNode = {
  readonly type: string
  readonly text: string
  readonly isNamed: boolean
  readonly startIndex: number
  readonly hasError: boolean
  readonly children: readonly SyntaxNode[]
}

/**
 * The simple commands that a line runs, or null when that is not known for certain. Only what sh and
 * bash both understand, and understand alike, is understood here: what is not on the lists is not.
 */
export function commandsIn(root: SyntaxNode): CommandLine | null {
  if (root.hasError || !plainCharacters.test(root.text) || joinsLines.test(root.text)) return null
  const commands: SimpleCommand[] = []
  const writes: string[] = []
  let heredocs = 0

  /** False: it is not understood. */
  function visit(node: SyntaxNode): boolean {
    if (!node.isNamed) return tokens.has(node.type)
    switch (node.type) {
      case "command":
        commands.push({ text: node.text, words: wordsOf(node) })
        return node.children.every(visitAssigned)
      case "variable_assignment":
      case "declaration_command":
      case "unset_command":
        // It may change what a later command is: PATH=., or the options that it reads.
        commands.push({ text: node.text, words: [null] })
        return node.type === "unset_command" || node.children.every(visitAssigned)
      case "for_statement":
        return loopsHarmlessly(node) && visitAll(node)
      case "file_redirect":
        return visitRedirect(node)
      case "heredoc_redirect":
        heredocs += 1
        return heredocs === 1 && endsWhereItSays(node) && visitAll(node)
      case "command_substitution":
        // Between backticks the shell takes backslashes away and reads again.
        return !(node.text.startsWith("`") && node.text.includes("\\")) && visitAll(node)
      case "comment":
        return /(?:^|[\s;&|()])$/.test(root.text.slice(0, node.startIndex - root.startIndex))
      case "expansion":
        return plainExpansion.test(node.text)
    }
    const leaf = leaves.get(node.type)
    return leaf === undefined ? groups.has(node.type) && visitAll(node) : leaf.test(node.text)
  }

  function visitAll(node: SyntaxNode): boolean {
    return node.children.every(visit)
  }

  /** What stands before a command's name, or after `export`, is part of that command. */
  function visitAssigned(node: SyntaxNode): boolean {
    if (node.type === "variable_assignment") return node.children.every(visitAssigned)
    return node.type === "=" || declaring.has(node.type) || visit(node)
  }

  function visitRedirect(node: SyntaxNode): boolean {
    const operator = node.children.find(({ isNamed }) => !isNamed)?.type ?? ""
    const [target, ...more] = node.children.filter(
      ({ isNamed, type }) => isNamed && type !== "file_descriptor",
    )
    if (target === undefined || more.length > 0) return false
    if (operator === ">&" || operator === "<&") return target.type === "number"
    if (operator === "<") return visit(target)
    if (!writing.has(operator)) return false
    if (literal(target) !== "/dev/null") writes.push(node.text)
    return visit(target)
  }

  return visitAll(root) ? { commands, writes } : null
}

/** Characters that every shell and the parser tell apart alike: of controls and spaces the usual ones. */
const plainCharacters = /^(?:[\t\n ]|[^\p{C}\p{Z}]){0,10000}$/u

/** A backslash that joins what stands on two lines to one word. */
const joinsLines = /[^\s]\\\n/

/** Nodes that consist of what stands in them. */
const groups = new Set([
  "case_item",
  "case_statement",
  "command_name",
  "compound_statement",
  "concatenation",
  "do_group",
  "elif_clause",
  "else_clause",
  "function_definition",
  "if_statement",
  "list",
  "negated_command",
  "pipeline",
  "process_substitution",
  "program",
  "redirected_statement",
  "simple_expansion",
  "string",
  "subshell",
  "while_statement",
])

/** Operators and words of the language. Not `&>`, `|&`, `[[`: to sh they are something else. */
const tokens = new Set([
  ...'&& || | ; & ( ) { } ;; $( ` " <( >( < > >> >| >& <& << <<- ! $ \n'.split(" "),
  ..."if then elif else fi for in do done while until case esac".split(" "),
])

const word = /^(?:[^\\`$;&|<>()'"\s]|\\[^\n])+$/

/** What stands for itself, if it looks as it must. */
const leaves = new Map<string, RegExp>([
  ["word", word],
  ["number", /^-?\d+$/],
  ["raw_string", /^'[^']*'$/],
  ["string_content", /^(?:[^\\`$"]|\$(?=[\s.,:;%/]|$)|\\[^\n])*$/],
  ["variable_name", /^\w+$/],
  ["special_variable_name", /^[*@?!#$_0-]$/],
  ["extglob_pattern", word],
  ["file_descriptor", /^\d+$/],
  ["heredoc_start", /^(?:\w+|'\w+'|"\w+")$/],
  ["heredoc_body", /^/],
  ["heredoc_end", /^\w+$/],
])

/** `${x}` and its like: others assign, or run what the variable holds. */
const plainExpansion = /^\$\{#?\w+(?::?[-+][\w./-]*)?\}$/

const declaring = new Set(["declare", "export", "local", "readonly", "typeset"])

const writing = new Set([">", ">>", ">|"])

/** Builtins that give other commands of the line another meaning, or read a text as one. */
const meddling = new Set(
  ". alias bind command eval builtin enable fc hash set shopt source trap unalias".split(" "),
)

function wordsOf({ children }: SyntaxNode): (string | null)[] {
  if (children.some(({ type }) => type === "variable_assignment")) return [null]
  const words = children.filter(
    ({ isNamed, type }) => isNamed && !type.endsWith("_redirect") && type !== "comment",
  )
  const [name, ...rest] = words.map(literal)
  const [named] = words[0]?.type === "command_name" ? words[0].children : []
  const isName = typeof name === "string" && named?.type === "word" && !meddling.has(name)
  return isName && !name.includes("=") ? [name, ...rest] : [null]
}

/** The text that a word stands for when it is plain text, else null. */
function literal({ type, text, children }: SyntaxNode): string | null {
  const [first, ...others] = children
  switch (type) {
    case "command_name":
      return first !== undefined && others.length === 0 ? literal(first) : null
    case "word":
    case "number":
      return plainWord.test(text) ? text : null
    case "raw_string":
      return text.slice(1, -1)
    case "string":
      return plainString.test(text) ? text.slice(1, -1) : null
    default:
      return null
  }
}

const plainWord = /^[\p{L}\p{N}_@%+=:,./^-]+$/u

const plainString = /^"[^\\`$"!]*"$/

/** The variable of a loop is no setting that a command of the line could look at. */
function loopsHarmlessly({ children }: SyntaxNode): boolean {
  const variable = children.find(({ type }) => type === "variable_name")
  return variable !== undefined && /^[a-z][a-z0-9]*$/.test(variable.text)
}

/** The text ends at the first line that says so, and nothing in it is run. */
function endsWhereItSays({ children }: SyntaxNode): boolean {
  const textOf = (type: string) => children.find(node => node.type === type)?.text ?? ""
  const start = textOf("heredoc_start")
  const delimiter = start.replaceAll(/['"]/g, "")
  const body = textOf("heredoc_body")
  const lines = body.split("\n").map(line => line.replace(/^\t+/, ""))
  const isPlain = start !== delimiter || !/[\\`$]/.test(body)
  return isPlain && textOf("heredoc_end") === delimiter && !lines.includes(delimiter)
}
