import type { CollectedConversation } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { counted } from "../text/format.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

type GcOptions = { olderThan?: number; dryRun?: true; json?: true }

/** `harness gc`: bounds the disk, and says what it freed of which conversation. */
export function gc(
  { olderThan, dryRun, json }: GcOptions,
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation
  return withKernel(invocation, async kernel => {
    const { type: _type, ...freed } = await ask(kernel, {
      type: "gc",
      dry_run: dryRun === true,
      ...(olderThan !== undefined && { older_than_seconds: olderThan }),
    })
    if (json) {
      stdout.write(`${JSON.stringify(freed, null, 2)}\n`)
      return 0
    }

    const { conversations, files, bytes } = freed
    const does = dryRun ? "would free" : "freed"
    stdout.write(visible(columnsOf(conversations.map(rowOf))))
    stdout.write(`${does} ${counted(bytes, "byte")} in ${counted(files, "file")}\n`)
    return 0
  })
}

function rowOf({ conversation, status, files, bytes, reason }: CollectedConversation): string[] {
  const what = `${counted(files, "file")} · ${counted(bytes, "byte")}`
  return [conversation, status, status === "skipped" ? (reason ?? "") : what]
}
