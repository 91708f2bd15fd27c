import type { Token } from "marked"
import type { ThemeStyle } from "../contracts.ts"
import type { Span } from "./spans.ts"

/** What stands within a paragraph: bold, code, links. `styles` is what all of it has. */
export function inlineSpans(tokens: readonly Token[], styles: readonly ThemeStyle[] = []): Span[] {
  return tokens.flatMap(token => spansOf(token, styles))
}

function spansOf(token: Token, styles: readonly ThemeStyle[]): Span[] {
  const within = (style: ThemeStyle) => inlineSpans(childrenOf(token), [...styles, style])
  switch (token.type) {
    case "strong":
      return within("strong")
    case "em":
      return within("emphasis")
    case "del":
      return [
        { text: "~~", styles },
        ...inlineSpans(childrenOf(token), styles),
        { text: "~~", styles },
      ]
    case "codespan":
      return [{ text: textOf(token), styles: [...styles, "code"] }]
    case "br":
      return [{ text: "\n", styles }]
    case "link":
      return linkSpans(token, within("link"), styles)
    case "image":
      return [{ text: `[image: ${textOf(token)}]`, styles: [...styles, "muted"] }]
    case "checkbox":
      return [{ text: "checked" in token && token.checked ? "[x] " : "[ ] ", styles }]
    default: {
      const children = childrenOf(token)
      if (children.length > 0) return inlineSpans(children, styles)
      return [{ text: textOf(token).replaceAll(/\s*\n\s*/g, " "), styles }]
    }
  }
}

/** The address is shown where the text is another one: nobody follows a link that they cannot see. */
function linkSpans(token: Token, text: readonly Span[], styles: readonly ThemeStyle[]): Span[] {
  const href = "href" in token && typeof token.href === "string" ? token.href : ""
  const shown = text.map(span => span.text).join("")
  if (href === "" || href === shown || href === `mailto:${shown}`) return [...text]
  return [...text, { text: ` (${href})`, styles: [...styles, "muted"] }]
}

export function childrenOf(token: Token): Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : []
}

export function textOf(token: Token): string {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw
  return text.replaceAll(/&(lt|gt|amp|quot|#39);/g, (_entity, name) => entities[name] ?? "")
}

const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#39": "'",
}
