import { defineToolView, z } from "@harness/sdk"
import { endOf } from "../actions/run-command.ts"
import { numberIn, textIn } from "../summaries.ts"
import { grouped } from "../text/words.ts"
import { presentProblem } from "./present.ts"

/** `bash`: a command line in bash, or in sh where there is no bash. */
export const bashTool = defineToolView({
  name: "bash",
  description:
    "Run a command line in the project's folder, up to timeout seconds (default 120). network: why it needs the network, if that is off; asks for leave.",
  input: z.object({
    command: z.string(),
    timeout: z.number().optional(),
    background: z.boolean().optional(),
    network: z.string().min(1).optional(),
  }),

  plan({ command, timeout = null, background = false, network = null }) {
    if (background) {
      const message =
        "Background processes come with start_process, which this version does not have yet; nothing ran. Run the command in the foreground, with a timeout that it will keep."
      return { refused: { error: "unsupported", message } }
    }
    return { action: "run_command", input: { command, timeout, shell: "bash", network } }
  },

  present(_input, result) {
    const problem = presentProblem("bash", result)
    if (problem !== null) return problem

    const output = textIn(result, "output").replace(/\n$/, "")
    const shown = [output === "" ? "(no output)" : output]
    if (result.truncated === true) {
      const size = grouped(numberIn(result, "output_bytes"))
      shown.unshift(`[The end of ${size} bytes; read ${textIn(result, "output_id")} for all.]`)
    }
    if (result.status !== "exited" || result.exit_code !== 0) {
      shown.push(`[${endOf(result)} · ${numberIn(result, "elapsed_seconds").toFixed(1)}s]`)
    }
    if (typeof result.hint === "string") shown.push(`[${result.hint}]`)
    return shown.join("\n")
  },
})
