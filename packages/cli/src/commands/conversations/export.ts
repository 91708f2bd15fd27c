import { writeFile } from "node:fs/promises"
import { extname, resolve } from "node:path"
import { failure } from "@harness/protocol"
import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { exportText } from "../../transcript/export.ts"
import { evidenceReader } from "../evidence-reader.ts"
import { withKernel } from "../with-kernel.ts"

export type ExportOptions = { format?: "markdown" | "html"; output?: string }

/** `harness conversations export`: a whole conversation as one Markdown or HTML file. */
export function exportConversation(
  conversation: string,
  options: ExportOptions,
  invocation: Invocation,
): Promise<number> {
  const { output } = options
  const format = options.format ?? formatOf(output)
  return withKernel(invocation, async kernel => {
    const shown = await ask(kernel, { type: "show", conversation })
    const read = evidenceReader(kernel, shown.summary.id)
    const text = await exportText(shown, { format, read })
    if (output === undefined) invocation.stdout.write(text)
    else await write(resolve(invocation.cwd, output), text)
    return 0
  })
}

function formatOf(output = ""): "markdown" | "html" {
  return [".html", ".htm"].includes(extname(output).toLowerCase()) ? "html" : "markdown"
}

/** For its owner alone: it holds what the model was told. */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const command = "conversations export"
    throw failure("option_invalid", { option: "--output", value: file, reason, command })
  }
}
