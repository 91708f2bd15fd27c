import { defineAction, z } from "@harness/sdk"
import { endOf } from "../commands.ts"
import { ProcessId, stateOf, unknownProcess } from "../processes.ts"
import { summaryOf } from "../summaries.ts"

/** Looks at a process: whether it runs, and what it printed last. */
export const processStatus = defineAction({
  name: "process_status",
  effect: "read",
  description: "How a process is: running or how it ended; output is the end of it.",
  input: z.object({ id: ProcessId }),
  returns: "{id, status, exit_code, elapsed_seconds, output, output_bytes, output_id, sha256}",

  async run({ id }, { processes }) {
    const state = await processes.status(id)
    return state === null ? unknownProcess(id) : stateOf(state)
  },

  summarise: ({ id }, result) => summaryOf(`process ${id}`, result, endOf(result)),
})
