// The process that decodes one image: its bytes come by standard input, and one line of JSON with the
// new bytes after it goes to standard output. It imports nothing but the library.
import { buffer } from "node:stream/consumers"
import sharp from "sharp"
import { recode } from "./codec.ts"

const [limits = "{}"] = process.argv.slice(2)
sharp.cache(false)
sharp.concurrency(1)
// The rest of what the library reads is not asked for, and not in reach of what comes from outside.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].map(format => `VipsForeignLoad${format}Buffer`),
})

const bytes = await buffer(process.stdin)
try {
  const { bytes: recoded, ...coded } = await recode(bytes, JSON.parse(limits), sharp)
  write({ status: "coded", ...coded, changed: recoded !== null }, recoded ?? new Uint8Array())
} catch (error) {
  write({ status: "failed", reason: error instanceof Error ? error.message : String(error) })
}

function write(head: object, body: Uint8Array = new Uint8Array()): void {
  const peakBytes = process.resourceUsage().maxRSS * 1_024
  process.stdout.write(`${JSON.stringify({ ...head, peak_bytes: peakBytes })}\n`)
  process.stdout.write(body)
}
