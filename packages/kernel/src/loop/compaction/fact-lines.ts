import type { KnownFile } from "@harness/sdk"
import type { Facts } from "./facts.ts"
import type { NamedOutput } from "./outputs.ts"
import { tokensOfText } from "./tokens.ts"

/**
 * What harness knows by itself, for a record: what runs, what nobody saw the end of, the last
 * verification, then files with their hashes and outputs with their names, the newest first, as far
 * as they fit. What is left out is counted.
 */
export function factLines(
  facts: Facts,
  { known, limitTokens }: { known: readonly KnownFile[]; limitTokens: number },
): string {
  const { verification } = facts
  const sections: Section[] = [
    { title: "Processes that run", lines: facts.running.map(outputLine) },
    {
      title: "Begun, and nobody saw the end: look before you repeat it",
      lines: facts.unseen.map(title => `- ${title}`),
    },
    {
      title: "The last verification",
      lines:
        verification === null ? [] : [`- ${verification.command}: ${wordOf(verification.outcome)}`],
    },
    { title: "Files as you last saw them, with the sha256", lines: known.map(fileLine) },
    { title: "Outputs that can be read by name", lines: facts.outputs.map(outputLine) },
  ]

  let left = limitTokens
  const shown: string[] = []
  for (const { title, lines } of sections) {
    if (lines.length === 0) continue
    left -= tokensOfText(title) + markTokens
    const fitting: string[] = []
    for (const line of lines.slice(-linesMost).toReversed()) {
      const tokens = tokensOfText(line)
      if (tokens > left) break
      left -= tokens
      fitting.push(line)
    }
    const more = lines.length - fitting.length
    shown.push(`${title}:`, ...fitting, ...(more > 0 ? [`- and ${more} more`] : []))
  }
  return shown.join("\n")
}

type Section = { title: string; lines: readonly string[] }

/** More are not looked at any more. */
const linesMost = 40

/** For the line that counts what was left out. */
const markTokens = 8

function fileLine({ path, sha256 }: KnownFile): string {
  return `- ${path} ${sha256 ?? "(not there)"}`
}

function outputLine({ name, what, bytes, outcome }: NamedOutput): string {
  return `- ${name} (${bytes} bytes, ${wordOf(outcome)}): ${what}`
}

function wordOf(status: string): string {
  return status.replaceAll("_", " ")
}
