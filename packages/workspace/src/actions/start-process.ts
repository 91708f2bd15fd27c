import {
  type ActionContext,
  defineAction,
  type JsonObject,
  type ProcessStart,
  type ReadyOptions,
  z,
} from "@harness/sdk"
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
import { stateOf } from "../processes.ts"
import { summaryOf, textIn } from "../summaries.ts"

/** A server that is not up by then is looked at again by `process_status`. */
const READY_SECONDS_MOST = 600

const Input = z.object({
  ...commandShape,
  ready: z
    .union([z.string().min(1), z.int().min(1).max(65_535)])
    .nullable()
    .default(null),
  ready_timeout: z.number().default(30),
  ...commandOptions,
})

/** Starts a command that runs on: a server, a watcher, a long build. */
export const startProcess = defineAction({
  name: "start_process",
  effect: "execute",
  outlives: true,
  description:
    "Starts a command as run_command does and returns while it runs on, without a timeout unless one is given, until it ends, cancel_process(id), or the conversation closes. ready: a regex that a line of its output matches or a port that it listens on; waited for up to ready_timeout seconds.",
  input: Input,
  returns: "{id, status, ready, output, output_id, exit_code}",

  permits: ({ network }) => networkWanted(network),

  async preview(input, context) {
    return { preview: commandPreview(input, context, { runsOn: true }), basis: null }
  },

  async run(input, context) {
    const refused = unusableReady(input) ?? (await commandRefusal(input, context))
    return refused ?? resultOf(await startIn(input, context), input)
  },

  summarise(input, result) {
    const ready = result.ready === true ? " · ready" : ""
    const subject = `start ${commandInShort(input)}`
    return summaryOf(subject, result, `${endOf(result)}${ready} · ${textIn(result, "output_id")}`)
  },
})

function unusableReady({ ready, ready_timeout }: z.output<typeof Input>): JsonObject | null {
  if (!(ready_timeout > 0 && ready_timeout <= READY_SECONDS_MOST)) {
    const message = `The ready_timeout ${ready_timeout} is not usable; nothing ran. Give more than 0 and at most ${READY_SECONDS_MOST} seconds.`
    return { error: "invalid_timeout", timeout: ready_timeout, message }
  }
  if (typeof ready !== "string") return null
  try {
    new RegExp(ready, "mu")
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The ready pattern is no regular expression (${reason}); nothing ran.`
    return { error: "invalid_pattern", pattern: ready, message }
  }
}

async function startIn(
  input: z.output<typeof Input>,
  { processes }: ActionContext,
): Promise<ProcessStart> {
  const { ready, ready_timeout } = input
  const options: ReadyOptions | undefined =
    ready === null ? undefined : { ready, readySeconds: ready_timeout }
  return startedBy(input, spec => processes.start(spec, options))
}

function resultOf(start: ProcessStart, input: Command): JsonObject {
  const message = messages.get(start.ready)
  const ready = start.ready === "not_asked" ? null : start.ready === "ready"
  return {
    ...(message !== undefined && { message }),
    ...notStarted(start, input),
    ...stateOf(start),
    ready,
  }
}

const messages = new Map<ProcessStart["ready"], string>([
  ["ended", "It ended before it was ready."],
  ["late", "It was not ready in time and runs on. Look at it with process_status."],
  ["invalid", "The ready pattern takes too long; it was not waited for. It runs on."],
])
