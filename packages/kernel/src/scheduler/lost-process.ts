import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { ProcessReceipt } from "@harness/protocol"

/** The reaper needs half a second for what ignores TERM, and a moment to look around. */
const WAIT_MS = 5_000
const LOOK_MS = 25

/**
 * The receipt of a process whose worker was lost: the reaper writes it beside the output, when it has
 * ended what the worker had left. If the reaper is lost too, nobody saw the end: then the receipt is
 * written here, and says `unknown`.
 *
 * @example
 * const receipt = await receiptOfLost(places.processes, "1f3c09ab")
 */
export async function receiptOfLost(
  processes: string,
  id: string,
  { waitMs } = { waitMs: WAIT_MS },
): Promise<ProcessReceipt> {
  const folder = join(processes, id)
  for (const until = performance.now() + waitMs; performance.now() < until; ) {
    const receipt = await keptReceipt(folder)
    if (receipt !== undefined) return receipt
    await delay(LOOK_MS)
  }
  return writeUnknown(folder, id)
}

/** Undefined when there is none, or none that was written to its end. */
async function keptReceipt(folder: string): Promise<ProcessReceipt | undefined> {
  try {
    return ProcessReceipt.parse(JSON.parse(await readFile(join(folder, "receipt.json"), "utf8")))
  } catch {
    return undefined
  }
}

async function writeUnknown(folder: string, id: string): Promise<ProcessReceipt> {
  const { bytes, sha256, seconds } = await measured(join(folder, "output"))
  const receipt: ProcessReceipt = {
    id,
    status: "unknown",
    exit_code: null,
    signal: null,
    elapsed_seconds: seconds,
    output_bytes: bytes,
    dropped_bytes: 0,
    output_sha256: sha256,
    output_id: `output:${id}`,
    truncated: bytes > 0,
    reason: "worker_lost",
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify(receipt)}\n`
  await writeFile(join(folder, "receipt.json"), text, { mode: 0o600 }).catch(() => {})
  return receipt
}

/** An output that is not there is an empty one. */
async function measured(file: string) {
  const hash = createHash("sha256")
  let bytes = 0
  let seconds = 0
  try {
    const { birthtimeMs, mtimeMs } = await stat(file)
    seconds = Math.max(mtimeMs - birthtimeMs, 0) / 1_000
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch {
    // The process was lost before its output was begun.
  }
  return { bytes, sha256: hash.digest("hex"), seconds }
}
