import {
  type ActionContext,
  defineAction,
  type JsonObject,
  type Limits,
  type ProcessEnd,
  type ProcessSpec,
  z,
} from "@harness/sdk"
import { containmentWords, NetworkReason, networkWanted } from "../network.ts"
import { refusal } from "../refusals.ts"
import { numberIn, summaryOf, textIn } from "../summaries.ts"
import { commandLine, visible } from "../text/command-line.ts"
import { grouped, shortened } from "../text/words.ts"

/** Of a command, in a line that tells how it ended. */
const SHOWN_CHARACTERS = 80

/** What to do when a command was not started, by the result's error. */
const nextSteps = new Map([
  ["cancelled", "Nothing ran."],
  ["network_denied", "Say in network why it is needed, or do without."],
  ["evidence_exhausted", "The conversation's evidence is used up: tell the user."],
  ["session_closed", "The conversation is closing."],
  ["too_many_processes", "Wait until another command has ended."],
  ["not_started", "Check that the program is there, for example with command -v."],
])

const Input = z.object({
  command: z.union([z.string(), z.array(z.string()).min(1)]),
  cwd: z.string().nullable().default(null),
  env: z.record(z.string(), z.string()).nullable().default(null),
  timeout: z.number().nullable().default(null),
  shell: z.enum(["sh", "bash"]).default("sh"),
  network: NetworkReason,
})
type Input = z.output<typeof Input>

/** Runs a program, or a command line in a shell, to its end. */
export const runCommand = defineAction({
  name: "run_command",
  effect: "execute",
  description:
    "Runs an argv list directly or a string in a shell, in cwd (from the root), env added, up to timeout seconds (default 120, at most 3600). output is the end of it; read_file(output_id) has all. network: why it needs the network, if that is off; asks for leave.",
  input: Input,
  returns: "{exit_code, output, status, elapsed_seconds, output_bytes, output_id, truncated}",

  permits: ({ network }) => networkWanted(network),

  async preview(input, context) {
    return { preview: { format: "command", text: previewOf(input, context) }, basis: null }
  },

  async run(input, context) {
    const refused =
      invalidTimeout(input.timeout, context.limits) ?? (await unusableFolder(input.cwd, context))
    if (refused !== null) return refused

    return resultOf(await runIn(input, context), input)
  },

  summarise({ command }, result) {
    const line = typeof command === "string" ? command : commandLine(command)
    const outcome = [endOf(result), `${numberIn(result, "elapsed_seconds").toFixed(1)}s`]
    if (result.truncated === true) {
      outcome.push(`output truncated, ${grouped(numberIn(result, "output_bytes"))} bytes original`)
    }
    return "exit_code" in result && !("error" in result)
      ? outcome.join(" · ")
      : summaryOf(`run ${shortened(line.replace(/\s+/g, " "), SHOWN_CHARACTERS)}`, result, "")
  },
})

/** `exit 1`, or the word for another end. */
export function endOf(result: JsonObject): string {
  const { status, exit_code } = result
  if (status !== "exited") return textIn(result, "status")
  return typeof exit_code === "number" ? `exit ${exit_code}` : `signal ${textIn(result, "signal")}`
}

function previewOf(input: Input, { limits, containment }: ActionContext): string {
  const { command, cwd, env, timeout, shell, network } = input
  const line = typeof command === "string" ? visible(command) : commandLine(command)
  const how = typeof command === "string" ? shell : "no shell"
  const added = Object.entries(env ?? {}).map(([name, value]) => commandLine([`${name}=${value}`]))
  const seconds = timeout ?? limits.command_seconds
  const facts = [how, `cwd ${commandLine([cwd ?? "."])}`, `timeout ${seconds} s`]
  if (added.length > 0) facts.push(`env ${added.join(" ")}`)
  return `# ${facts.join(" · ")}\n# ${containmentWords(containment, network)}\n${line}`
}

function invalidTimeout(
  timeout: number | null,
  { command_seconds_max: most }: Limits,
): JsonObject | null {
  if (timeout === null || (timeout > 0 && timeout <= most)) return null

  const message = `The timeout ${timeout} is not usable; nothing ran. Give more than 0 and at most ${most} seconds.`
  return { error: "invalid_timeout", timeout, message }
}

async function unusableFolder(
  cwd: string | null,
  { files }: ActionContext,
): Promise<JsonObject | null> {
  if (cwd === null) return null

  const located = await files.locate(cwd)
  if (located.status === "refused") return refusal(located, files)
  if (located.type === "folder") return null

  const message = `The cwd ${cwd} is not a folder; nothing ran. Name a folder below the root.`
  return { error: "not_a_folder", path: cwd, message }
}

async function runIn(input: Input, { processes }: ActionContext): Promise<ProcessEnd> {
  const { command, cwd, env, timeout, shell, network } = input
  const rest = {
    ...(cwd !== null && { cwd }),
    ...(env !== null && { env }),
    ...(timeout !== null && { timeoutSeconds: timeout }),
    ...(network !== null && { network: true }),
  } satisfies ProcessSpec
  if (typeof command !== "string") return processes.run({ ...rest, argv: command })
  if (shell === "sh") return processes.run({ ...rest, shell: command })

  const end = await processes.run({ ...rest, shell: command, shellPath: "bash" })
  const isMissing = end.receipt.status === "not_started"
  return isMissing ? processes.run({ ...rest, shell: command }) : end
}

function resultOf({ receipt, preview }: ProcessEnd, { command }: Input): JsonObject {
  const { status, exit_code, signal, reason, dropped_bytes, output_bytes } = receipt
  const hint = receipt.containment?.hint
  const result = {
    exit_code,
    output: preview,
    status,
    elapsed_seconds: receipt.elapsed_seconds,
    output_bytes,
    output_id: receipt.output_id,
    truncated: receipt.truncated,
    ...(signal !== null && { signal }),
    ...(dropped_bytes > 0 && { dropped_bytes }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
  }
  if (status !== "not_started") return result

  const name = typeof command === "string" ? command : (command[0] ?? "")
  const why = reason ?? "no reason is known"
  const error = nextSteps.has(why) ? why : "not_started"
  const message = `${name} was not started: ${why}. ${nextSteps.get(error)}`
  return { error, message, ...result }
}
