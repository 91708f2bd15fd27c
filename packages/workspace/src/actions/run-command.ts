import { defineAction, type JsonObject, type ProcessEnd, z } from "@harness/sdk"
import {
  type Command,
  commandInShort,
  commandOptions,
  commandPreview,
  commandRefusal,
  commandShape,
  endOf,
  notStarted,
  startedBy,
} from "../commands.ts"
import { networkWanted } from "../network.ts"
import { numberIn, summaryOf } from "../summaries.ts"
import { grouped } from "../text/words.ts"

/** Runs a program, or a command line in a shell, to its end. */
export const runCommand = defineAction({
  name: "run_command",
  effect: "execute",
  description:
    "Runs an argv list directly or a string in a shell, in cwd (from the root), env added, up to timeout seconds (default 120, at most 3600). output is the end of it; read_file(output_id) has all. network: why it needs the network, if that is off; asks for leave.",
  input: z.object({ ...commandShape, ...commandOptions }),
  returns: "{exit_code, output, status, elapsed_seconds, output_bytes, output_id, truncated}",

  permits: ({ network }) => networkWanted(network),

  async preview(input, context) {
    return { preview: commandPreview(input, context, { runsOn: false }), basis: null }
  },

  async run(input, context) {
    const refused = await commandRefusal(input, context)
    if (refused !== null) return refused

    const { processes } = context
    return resultOf(await startedBy(input, spec => processes.run(spec)), input)
  },

  summarise(input, result) {
    const outcome = [endOf(result), `${numberIn(result, "elapsed_seconds").toFixed(1)}s`]
    if (result.truncated === true) {
      outcome.push(`output truncated, ${grouped(numberIn(result, "output_bytes"))} bytes original`)
    }
    return "exit_code" in result && !("error" in result)
      ? outcome.join(" · ")
      : summaryOf(`run ${commandInShort(input)}`, result, "")
  },
})

/** Of the files that steer what others run; the receipt names more. */
const SHOWN_TOUCHED = 20

function resultOf(end: ProcessEnd, input: Command): JsonObject {
  const { status, exit_code, signal, reason, dropped_bytes, output_bytes, ...receipt } = end.receipt
  const { hint, touched } = receipt.containment ?? {}
  return {
    ...notStarted(end, input),
    exit_code,
    output: end.preview,
    status,
    elapsed_seconds: receipt.elapsed_seconds,
    output_bytes,
    output_id: receipt.output_id,
    truncated: receipt.truncated,
    ...(signal !== null && { signal }),
    ...(dropped_bytes > 0 && { dropped_bytes }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
    ...(touched !== undefined && { touched: touched.slice(0, SHOWN_TOUCHED) }),
    ...(touched !== undefined &&
      touched.length > SHOWN_TOUCHED && { touched_more: touched.length - SHOWN_TOUCHED }),
  }
}
