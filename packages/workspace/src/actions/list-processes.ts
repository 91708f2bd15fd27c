import { defineAction, z } from "@harness/sdk"
import { inShort } from "../processes.ts"
import { summaryOf } from "../summaries.ts"

/** Lists what was started to run on, what has ended too. */
export const listProcesses = defineAction({
  name: "list_processes",
  effect: "read",
  description: "What start_process started, the oldest first, ended ones too.",
  input: z.object({}),
  returns: "{processes: [{id, status, command, exit_code, elapsed_seconds, output_id}]}",

  async run(_input, { processes }) {
    const found = await processes.list()
    return {
      processes: found.map(({ receipt, command }) => ({
        ...inShort(receipt),
        command,
        exit_code: receipt.exit_code,
      })),
    }
  },

  summarise(_input, result) {
    const count = Array.isArray(result.processes) ? result.processes.length : 0
    return summaryOf("processes", result, `${count}`)
  },
})
