import type { Paint } from "../text/paint.ts"
import { visible } from "../text/visible.ts"

/** A unified diff as lines, painted. Trailing spaces and `\r` stay visible: they may be the change. */
export function diffLines(diff: string, paint: Paint): string[] {
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map(line => painted(visible(line), paint))
}

function painted(line: string, paint: Paint): string {
  if (/^(---|\+\+\+|diff |index |=====)/.test(line)) return paint.bold(line)
  if (line.startsWith("@@")) return paint.cyan(line)
  if (line.startsWith("+")) return paint.green(line)
  if (line.startsWith("-")) return paint.red(line)
  return line
}
