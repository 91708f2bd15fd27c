import { styleText } from "node:util"
import type { Invocation } from "../../invocation.ts"
import type { Theme, ThemeStyle } from "../contracts.ts"
import { createHighlighter } from "./highlight.ts"

/**
 * The looks of a terminal: colours unless the person declined them (NO_COLOR, FORCE_COLOR=0) or it has
 * none. HARNESS_THEME says whether its background is `dark` or `light`, else COLORFGBG does, else it
 * is taken to be dark.
 */
export function themeFor(env: Invocation["env"], isTTY: boolean): Theme {
  const forced = Boolean(env.FORCE_COLOR) && env.FORCE_COLOR !== "0"
  const declined = Boolean(env.NO_COLOR) || env.TERM === "dumb" || env.FORCE_COLOR === "0"
  const colours = forced || (isTTY && !declined)
  const background = backgroundOf(env)
  const styles = colours ? { ...coloured, ...(background === "light" && onLight) } : plain
  return {
    ...styles,
    background,
    colours,
    screenReader: env.INK_SCREEN_READER === "true",
    highlight: colours ? createHighlighter() : uncoloured,
  }
}

/** COLORFGBG is `<text>;<background>`, as numbers of the terminal's colours: 7 and 9 to 15 are light. */
function backgroundOf({ HARNESS_THEME, COLORFGBG }: Invocation["env"]): Theme["background"] {
  if (HARNESS_THEME === "light" || HARNESS_THEME === "dark") return HARNESS_THEME
  const colour = Number(COLORFGBG?.split(";").at(-1) || "0")
  return colour === 7 || colour > 8 ? "light" : "dark"
}

const uncoloured: Theme["highlight"] = source =>
  source.split("\n").map(text => (text === "" ? [] : [{ text, styles: [] }]))

type Format = Parameters<typeof styleText>[0]

const style =
  (format: Format) =>
  (text: string): string =>
    text === "" ? "" : styleText(format, text, { validateStream: false })

const same = (text: string) => text

type Styles = Record<ThemeStyle, (text: string) => string>

const coloured: Styles = {
  strong: style("bold"),
  emphasis: style("italic"),
  muted: style("dim"),
  accent: style("cyan"),
  good: style("green"),
  warning: style("yellow"),
  bad: style("red"),
  added: style("green"),
  removed: style("red"),
  hunk: style("cyan"),
  code: style("cyan"),
  link: style("underline"),
  heading: style("bold"),
  keyword: style("magenta"),
  string: style("green"),
  number: style("yellow"),
  comment: style("dim"),
  name: style("blue"),
  inverse: style("inverse"),
}

/** Yellow and cyan cannot be read on white. */
const onLight = {
  accent: style("blue"),
  warning: style("magenta"),
  hunk: style("blue"),
  code: style("blue"),
  number: style("red"),
} satisfies Partial<Styles>

const plain: Styles = {
  strong: same,
  emphasis: same,
  muted: same,
  accent: same,
  good: same,
  warning: same,
  bad: same,
  added: same,
  removed: same,
  hunk: same,
  code: same,
  link: same,
  heading: same,
  keyword: same,
  string: same,
  number: same,
  comment: same,
  name: same,
  inverse: same,
}
