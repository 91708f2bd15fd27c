import type { EvidenceLink } from "@harness/protocol"
import { sha256Of } from "../files/content.ts"
import type { Payloads } from "./payloads.ts"

/** What one action leaves behind, under the bytes that the controller granted it. */
export interface ActionEvidence {
  readonly links: readonly EvidenceLink[]
  readonly usedBytes: number
  readonly remainingBytes: number
  /**
   * How many of so many bytes may be kept elsewhere, as a process's output is. They count as used.
   */
  take(bytes: number): number
  /**
   * What is left of the grant, for a process that outlives the action: it is gone from here, and
   * counts there.
   */
  lend(): ActionEvidence
  /** Takes back what was lent, when the process has ended before the action: all counts here again. */
  reclaim(lent: ActionEvidence): void
  /**
   * Keeps all payloads or none: null when the rest of the grant does not hold them. Content that is
   * there already costs nothing. Throws the system's error, with nothing linked.
   */
  keep(payloads: readonly Payload[]): EvidenceLink[] | null
  /** Names contents by their hash alone: what a secret file holds is not kept, and costs nothing. */
  withhold(contents: readonly Omit<EvidenceLink, "withheld">[]): void
}

export type Payload = { role: string; bytes: Uint8Array; path?: string }

export function actionEvidence(payloads: Payloads, grantBytes: number): ActionEvidence {
  const links: EvidenceLink[] = []
  let usedBytes = 0
  let lentBytes = 0
  const left = () => Math.max(grantBytes - lentBytes - usedBytes, 0)

  return {
    links,
    get usedBytes() {
      return usedBytes
    },
    get remainingBytes() {
      return left()
    },
    take(bytes) {
      const taken = Math.min(bytes, left())
      usedBytes += taken
      return taken
    },
    lend() {
      const lent = left()
      lentBytes += lent
      return actionEvidence(payloads, lent)
    },
    reclaim(lent) {
      lentBytes -= lent.usedBytes + lent.remainingBytes
      usedBytes += lent.usedBytes
      links.push(...lent.links)
    },
    keep(wanted) {
      const addressed = wanted.map(payload => ({ ...payload, sha256: sha256Of(payload.bytes) }))
      const fresh = new Map(
        addressed.filter(({ sha256 }) => !payloads.has(sha256)).map(each => [each.sha256, each]),
      )
      const cost = [...fresh.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
      if (cost > left()) return null

      for (const { sha256, bytes } of fresh.values()) payloads.put(sha256, bytes)
      const kept = addressed.map(({ role, sha256, bytes, path }) => ({
        role,
        sha256,
        bytes: bytes.length,
        ...(path !== undefined && { path }),
      }))
      usedBytes += cost
      links.push(...kept)
      return kept
    },
    withhold(contents) {
      links.push(...contents.map(content => ({ ...content, withheld: true }) as const))
    },
  }
}
