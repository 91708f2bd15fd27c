import { styleText } from "node:util"
import type { Invocation, Output } from "../invocation.ts"

type Colour = (text: string) => string

/** The colours of the terminal, or none. */
export type Paint = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", Colour>>

/** Colours only where a person looks (a terminal) and did not decline them (NO_COLOR). */
export function paintFor(output: Output, env: Invocation["env"]): Paint {
  return output.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? coloured : plain
}

const style =
  (name: keyof Paint): Colour =>
  text =>
    styleText(name, text, { validateStream: false })

const coloured: Paint = {
  bold: style("bold"),
  dim: style("dim"),
  red: style("red"),
  green: style("green"),
  yellow: style("yellow"),
  cyan: style("cyan"),
}

const same: Colour = text => text

const plain: Paint = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
}
