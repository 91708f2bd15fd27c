import type { Invocation } from "../../invocation.ts"
import { oneLine } from "../../text/width.ts"
import { exactly } from "./exact.ts"

/** A request that nobody touched for so long calls: the person may have looked away. */
export const unattendedMs = 3_000

/**
 * What calls a person who looked away: the bell, with `HARNESS_BELL=notice` also a notice of the
 * terminal (OSC 9), with `off` nothing. tmux passes the bell on by itself, the notice where it is let.
 */
export function callOver({ HARNESS_BELL, TMUX }: Invocation["env"], title: string): string {
  if (HARNESS_BELL === "off") return ""
  if (HARNESS_BELL !== "notice") return bell
  const notice = `${esc}]9;harness asks: ${oneLine(exactly(title))}${bell}`
  const passed = `${esc}Ptmux;${notice.replaceAll(esc, esc + esc)}${esc}\\`
  return (TMUX ? passed : notice) + bell
}

const bell = "\u0007"
const esc = "\u001b"
