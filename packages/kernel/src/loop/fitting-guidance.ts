import { bytesPerToken } from "./compaction/tokens.ts"
import { firstBytes } from "./fitting-result.ts"

/** Of the window, what the project's own words to those who work in it may take. */
const guidanceShare = 1 / 8

/** AGENTS.md as a small window can take it: where it is cut, that is said, and the rest can be read. */
export function fittingGuidance(
  { name, text }: { name: string; text: string },
  contextTokens: number | undefined,
): string {
  const bytes = Buffer.from(text)
  const limitBytes = Math.floor((contextTokens ?? Infinity) * guidanceShare * bytesPerToken)
  if (bytes.length <= limitBytes) return text

  const head = firstBytes(bytes, limitBytes)
  const shown = Buffer.byteLength(head)
  return `${head}\n[${name} is cut here, after ${shown} bytes. Read the rest of the file before you rely on it.]\n`
}
