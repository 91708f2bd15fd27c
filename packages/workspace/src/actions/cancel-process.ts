import { defineAction, z } from "@harness/sdk"
import { endOf } from "../commands.ts"
import { ProcessId, stateOf, unknownProcess } from "../processes.ts"
import { summaryOf } from "../summaries.ts"

/**
 * Ends a process that was started to run on. Its effect is `execute`, though it only ends what this
 * conversation started: to end a program half-way has effects of its own, keeps the model's order,
 * and is none of the mode that only reads.
 */
export const cancelProcess = defineAction({
  name: "cancel_process",
  effect: "execute",
  description: "Ends a process that start_process left running; of one that has ended, its end.",
  input: z.object({ id: ProcessId }),
  returns: "{id, status, exit_code, output, output_id}",

  async preview({ id }, { processes }) {
    const name = id.replace(/^output:/, "")
    const found = (await processes.list()).find(({ receipt }) => receipt.id === name)
    const text = found === undefined ? `end ${id}` : `end ${name}: ${found.command}`
    return { preview: { format: "text", text }, basis: null }
  },

  async run({ id }, { processes }) {
    const end = await processes.cancel(id)
    return end === null ? unknownProcess(id) : stateOf(end)
  },

  summarise: ({ id }, result) => summaryOf(`end process ${id}`, result, endOf(result)),
})
