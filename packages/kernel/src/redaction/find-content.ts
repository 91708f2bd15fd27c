import { hash } from "node:crypto"
import { type DurableEvent, failure } from "@harness/protocol"
import { linksOf, receiptOf } from "../audit/expected.ts"

/** A content that a conversation's records name, and the outputs that hold it. */
type NamedContent = { sha256: string; bytes: number; output?: string }

/**
 * The content that a person means by a hash, a beginning of one, or `output:<id>` of a process or
 * program. Throws `evidence_unknown`, `evidence_ambiguous`.
 */
export function findContent(
  events: readonly DurableEvent[],
  { evidence, conversation }: { evidence: string; conversation: string },
): { sha256: string; bytes: number } {
  const named = events.flatMap(contentsOf)
  const meant = evidence.startsWith("output:")
    ? named.filter(({ output }) => output === evidence).slice(-1)
    : named.filter(({ sha256 }) => sha256.startsWith(evidence.toLowerCase()))

  const [first] = meant
  if (first === undefined) throw failure("evidence_unknown", { conversation, evidence })
  const count = new Set(meant.map(({ sha256 }) => sha256)).size
  if (count > 1) throw failure("evidence_ambiguous", { conversation, evidence, count })
  return { sha256: first.sha256, bytes: first.bytes }
}

function contentsOf(event: DurableEvent): NamedContent[] {
  if (event.type === "program_started") {
    const { source } = event
    return [{ sha256: hash("sha256", source), bytes: Buffer.byteLength(source) }]
  }
  if (event.type === "program_ended") {
    const { output_sha256: sha256, output_bytes: bytes, program } = event
    return [{ sha256, bytes, output: `output:program-${program}` }]
  }

  const receipt = receiptOf(event)
  const links = linksOf(event).map(({ sha256, bytes }) => ({ sha256, bytes }))
  if (receipt === undefined || receipt.status === "running") return links
  const { output_sha256: sha256, output_bytes: bytes, output_id: output } = receipt
  return [...links, { sha256, bytes, output }]
}
