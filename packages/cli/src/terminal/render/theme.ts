import { styleText } from "node:util"
import type { Invocation } from "../../invocation.ts"
import type { Theme, ThemeStyle } from "../contracts.ts"

/** The looks of a terminal: colours unless the person declined them (NO_COLOR) or it has none. */
export function themeFor(env: Invocation["env"], isTTY: boolean): Theme {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
  const declined = Boolean(env.NO_COLOR) || env.TERM === "dumb" || env.FORCE_COLOR === "0"
  const colours = forced || (isTTY && !declined)
  const styles = colours ? coloured : plain
  return { ...styles, background: "dark", colours, screenReader: env.INK_SCREEN_READER === "true" }
}

type Format = Parameters<typeof styleText>[0]

const style =
  (format: Format) =>
  (text: string): string =>
    text === "" ? "" : styleText(format, text, { validateStream: false })

const same = (text: string) => text

const coloured: Record<ThemeStyle, (text: string) => string> = {
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

const plain: Record<ThemeStyle, (text: string) => string> = {
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
