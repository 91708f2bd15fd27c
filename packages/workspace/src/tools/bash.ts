import { defineToolView, z } from "@harness/sdk"
import { endOf } from "../commands.ts"
import { numberIn, textIn } from "../summaries.ts"
import { wholeCharacters } from "../text/utf8.ts"
import { grouped } from "../text/words.ts"
import { presentProblem } from "./present.ts"

/** `bash`: a command line in bash, or in sh where there is no bash. */
export const bashTool = defineToolView({
  name: "bash",
  description:
    "Run a command line in the project's folder, up to timeout seconds (default 120). background: it runs on; read its output:<id>, end it with stop=<id>. network: why it needs the network, if that is off; asks for leave.",
  input: z.object({
    command: z.string().optional(),
    timeout: z.number().optional(),
    background: z.boolean().optional(),
    stop: z.string().min(1).optional(),
    network: z.string().min(1).optional(),
  }),

  plan({ command = "", timeout = null, background = false, stop, network = null }) {
    if (stop !== undefined) return { action: "cancel_process", input: { id: stop } }
    if (command === "") {
      const message = "There is no command; nothing ran. Give one."
      return { refused: { error: "no_command", message } }
    }
    const input = { command, timeout, shell: "bash", network }
    return { action: background ? "start_process" : "run_command", input }
  },

  present(_input, result, room) {
    const problem = presentProblem("bash", result)
    if (problem !== null) return problem
    if (result.status === "running") return `[running as ${textIn(result, "output_id")}]`

    const whole = textIn(result, "output").replace(/\n$/, "")
    const output = room === undefined ? whole : lastBytes(whole, room.limitBytes * OUTPUT_SHARE)
    const shown = [output === "" ? "(no output)" : output]
    if (result.truncated === true || output !== whole) {
      const size = grouped(numberIn(result, "output_bytes"))
      shown.unshift(`[The end of ${size} bytes; read ${textIn(result, "output_id")} for all.]`)
    }
    if (result.status !== "exited" || result.exit_code !== 0) {
      shown.push(`[${endOf(result)} · ${numberIn(result, "elapsed_seconds").toFixed(1)}s]`)
    }
    if (typeof result.hint === "string") shown.push(`[${result.hint}]`)
    if (Array.isArray(result.touched)) {
      const more = numberIn(result, "touched_more")
      const names = result.touched.join(", ") + (more > 0 ? ` and ${more} more` : "")
      shown.push(`[it changed what steers others: ${names}]`)
    }
    return shown.join("\n")
  },
})

/** Of what a result may show; the rest is for how it ended. */
const OUTPUT_SHARE = 0.8

/** The end of a text, from a whole character on. */
function lastBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limitBytes) return text
  const end = bytes.subarray(bytes.length - Math.floor(limitBytes))
  const { start } = wholeCharacters(end, { limitBytes: end.length, continues: true })
  return end.subarray(start).toString()
}
