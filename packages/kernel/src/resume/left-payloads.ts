import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { DurableEvent, EvidenceLink } from "@harness/protocol"
import { expectedOf, payloadPlace } from "../audit/expected.ts"
import { inventoryOf } from "../audit/inventory.ts"

/**
 * Payloads of a conversation that no record names: what an action kept whose end was not written. One
 * that was not written whole is left for `gc`.
 */
export async function leftPayloads(
  folder: string,
  events: readonly DurableEvent[],
): Promise<EvidenceLink[]> {
  const { files } = expectedOf(events)
  const links: EvidenceLink[] = []
  for (const { place, bytes } of inventoryOf(folder, "artifacts/evidence")) {
    const sha256 = /\/([0-9a-f]{64})$/.exec(place)?.[1]
    if (sha256 === undefined || place !== payloadPlace(sha256) || files.has(place)) continue
    const content = await readFile(join(folder, place))
    if (hash("sha256", content) === sha256) links.push({ role: "unfinished", sha256, bytes })
  }
  return links
}
