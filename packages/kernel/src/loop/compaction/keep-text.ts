import { hash } from "node:crypto"
import { isFailure } from "@harness/protocol"
import type { EvidenceStore } from "@harness/sdk"
import type { Ledger } from "../../evidence/ledger.ts"
import type { KeptText } from "../fitting-result.ts"

/**
 * Keeps a text that is shown in part as evidence, read by `output:<sha256>`; null when there is no room
 * for it, in the conversation or on the disk.
 */
export async function keepText(
  text: string,
  { evidence, ledger, role }: { evidence: EvidenceStore; ledger: Ledger; role: string },
): Promise<KeptText | null> {
  const bytes = Buffer.from(text)
  const sha256 = hash("sha256", bytes)
  const name = `output:${sha256}`
  if (await evidence.has(sha256)) return { name, link: null }

  const reserved = ledger.reserve(bytes.length, { leastBytes: bytes.length })
  if (reserved.status === "exhausted") return null
  let keptBytes = 0
  try {
    await evidence.put(bytes)
    keptBytes = bytes.length
  } catch (error) {
    if (!isFailure(error, "log_unwritable")) throw error
    return null
  } finally {
    ledger.settle(reserved, keptBytes)
  }
  return { name, link: { role, sha256, bytes: bytes.length } }
}
