import { lexer, type Token, type Tokens } from "marked"
import { visible } from "../../text/visible.ts"
import { widthOf } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import { childrenOf, inlineSpans, textOf } from "./inline.ts"
import { sourceLines } from "./source.ts"
import { type Span, styledLine, wrapped } from "./spans.ts"
import { tableLines } from "./table.ts"

/**
 * Markdown as lines, none wider than the terminal but those of code, which are never broken: a command
 * that is copied must be whole. Text that is no Markdown comes out as it is.
 */
export function markdownLines(markdown: string, look: Look): Styled[] {
  const text = visible(markdown).replaceAll("\t", "    ")
  return blocks(lexer(text), look)
}

function blocks(tokens: readonly Token[], look: Look): Styled[] {
  const lines: Styled[] = []
  for (const token of tokens) {
    // A definition of a link shows nothing.
    if (token.type === "space" || token.type === "def") continue
    if (lines.length > 0) lines.push("")
    lines.push(...blockLines(token, look))
  }
  return lines
}

function blockLines(token: Token, look: Look): Styled[] {
  const { theme, columns } = look
  switch (token.type) {
    case "heading":
      return prose(inlineSpans(childrenOf(token), ["heading"]), look)
    case "code":
      return codeLines(token, look)
    case "blockquote":
      return under(blocks(childrenOf(token), narrower(look, 2)), theme.muted("│ "))
    case "list":
      return isList(token) ? listLines(token, look) : []
    case "table":
      return isTable(token) ? tableLines(token, look) : []
    case "hr":
      return [theme.muted("─".repeat(Math.min(columns, 40)))]
    case "paragraph":
    case "text": {
      const children = childrenOf(token)
      const spans: Span[] =
        children.length > 0 ? inlineSpans(children) : [{ text: textOf(token), styles: [] }]
      return prose(spans, look)
    }
    default:
      return prose([{ text: token.raw.replace(/\n+$/, ""), styles: [] }], look)
  }
}

function prose(spans: readonly Span[], { theme, columns }: Look): Styled[] {
  return wrapped(spans, columns).map(line => styledLine(line, theme))
}

function codeLines(token: Token, look: Look): Styled[] {
  const language = "lang" in token && typeof token.lang === "string" ? token.lang : ""
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw
  return under(sourceLines(text, language, narrower(look, 2)), "  ")
}

function listLines(list: Tokens.List, look: Look): Styled[] {
  const lines: Styled[] = []
  list.items.forEach((item, index) => {
    const first = typeof list.start === "number" ? list.start : 1
    const marker = list.ordered ? `${first + index}. ` : "- "
    const body = itemLines(item, narrower(look, widthOf(marker)))
    if (list.loose && index > 0) lines.push("")
    const [head = "", ...rest] = body
    lines.push(look.theme.accent(marker) + head, ...indented(rest, " ".repeat(widthOf(marker))))
  })
  return lines
}

/** In a tight list what stands under an item follows it at once. */
function itemLines(item: Tokens.ListItem, look: Look): Styled[] {
  const tokens = item.tokens.filter(({ type }) => type !== "space")
  return item.loose ? blocks(tokens, look) : tokensClose(tokens, look)
}

function tokensClose(tokens: readonly Token[], look: Look): Styled[] {
  const spans: Span[] = []
  const lines: Styled[] = []
  for (const token of tokens) {
    if (token.type === "checkbox") spans.push(...inlineSpans([token]))
    else if (token.type === "text" && spans.length > 0) {
      lines.push(...prose([...spans, ...inlineSpans([token])], look))
      spans.length = 0
    } else lines.push(...blockLines(token, look))
  }
  return lines
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list" && "items" in token
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table" && "header" in token
}

function narrower(look: Look, by: number): Look {
  return { ...look, columns: Math.max(1, look.columns - by) }
}

function under(lines: readonly Styled[], start: string): Styled[] {
  return lines.map(line => start + line)
}

function indented(lines: readonly Styled[], indent: string): Styled[] {
  return lines.map(line => (line === "" ? "" : indent + line))
}
