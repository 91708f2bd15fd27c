import {
  type ActionContext,
  type JsonObject,
  type Limits,
  type Preview,
  type ProcessEnd,
  type ProcessSpec,
  z,
} from "@harness/sdk"
import { containmentWords, NetworkReason } from "./network.ts"
import { refusal } from "./refusals.ts"
import { textIn } from "./summaries.ts"
import { commandLine, visible } from "./text/command-line.ts"
import { shortened } from "./text/words.ts"

/** What every action that starts a command takes. */
export const commandShape = {
  command: z.union([z.string(), z.array(z.string()).min(1)]),
  cwd: z.string().nullable().default(null),
  env: z.record(z.string(), z.string()).nullable().default(null),
}
export const commandOptions = {
  timeout: z.number().nullable().default(null),
  shell: z.enum(["sh", "bash"]).default("sh"),
  network: NetworkReason,
}
const Command = z.object({ ...commandShape, ...commandOptions })
export type Command = z.output<typeof Command>

/**
 * What a person is shown: what runs, how it is held back, and for how long. `runsOn`: without a timeout
 * of its own it has none.
 */
export function commandPreview(
  input: Command,
  { containment, limits }: ActionContext,
  { runsOn }: { runsOn: boolean },
): Preview {
  const { command, cwd, env, shell, network } = input
  const isLine = typeof command === "string"
  const line = isLine ? command : commandLine(command)
  const timeout = input.timeout ?? (runsOn ? null : limits.command_seconds)
  const deadline = timeout === null ? "runs on" : `timeout ${timeout} s`
  const added = Object.entries(env ?? {}).map(([name, value]) => commandLine([`${name}=${value}`]))
  const facts = [
    isLine ? shell : "no shell",
    `cwd ${commandLine([cwd ?? "."])}`,
    runsOn && timeout !== null ? `runs on, ${deadline}` : deadline,
    ...(added.length > 0 ? [`env ${added.join(" ")}`] : []),
  ]
  const shown = isLine ? visible(line) : line
  return {
    format: "command",
    text: `# ${facts.join(" · ")}\n# ${containmentWords(containment, network)}\n${shown}`,
    command: {
      line,
      shell: isLine ? shell : null,
      cwd: cwd ?? ".",
      env: env ?? {},
      timeout_seconds: timeout,
      sandbox: containment.sandbox,
      writes: containment.sandbox === "off" ? "anywhere" : "folder",
      network: containment.sandbox === "off" || containment.network || network !== null,
    },
  }
}

/** Why the command cannot be started as it was asked for; null when it can. */
export async function commandRefusal(
  { cwd, timeout }: Command,
  context: ActionContext,
): Promise<JsonObject | null> {
  return invalidTimeout(timeout, context.limits) ?? (await unusableFolder(cwd, context))
}

/**
 * Starts it with `start`; where bash is wanted and is not there, with sh. Of an argv no shell reads
 * anything.
 */
export async function startedBy<End extends ProcessEnd>(
  input: Command,
  start: (spec: ProcessSpec) => Promise<End>,
): Promise<End> {
  const { command, cwd, env, timeout, shell, network } = input
  const rest = {
    ...(cwd !== null && { cwd }),
    ...(env !== null && { env }),
    ...(timeout !== null && { timeoutSeconds: timeout }),
    ...(network !== null && { network: true }),
  } satisfies ProcessSpec
  if (typeof command !== "string") return start({ ...rest, argv: command })
  if (shell === "sh") return start({ ...rest, shell: command })

  const end = await start({ ...rest, shell: command, shellPath: "bash" })
  const isMissing = end.receipt.status === "not_started"
  return isMissing ? start({ ...rest, shell: command }) : end
}

/** `error` and `message` of a command that was not started; null for one that was. */
export function notStarted({ receipt }: ProcessEnd, { command }: Command): JsonObject | null {
  if (receipt.status !== "not_started") return null

  const name = typeof command === "string" ? command : (command[0] ?? "")
  const why = receipt.reason ?? "no reason is known"
  const error = nextSteps.has(why) ? why : "not_started"
  return { error, message: `${name} was not started: ${why}. ${nextSteps.get(error)}` }
}

/** The command in a line that tells how it ended. */
export function commandInShort({ command }: Pick<Command, "command">): string {
  const line = typeof command === "string" ? command : commandLine(command)
  return shortened(line.replace(/\s+/g, " "), SHOWN_CHARACTERS)
}

/** `exit 1`, or the word for another end. */
export function endOf(result: JsonObject): string {
  const { status, exit_code } = result
  if (status !== "exited") return textIn(result, "status")
  return typeof exit_code === "number" ? `exit ${exit_code}` : `signal ${textIn(result, "signal")}`
}

const SHOWN_CHARACTERS = 80

/** What to do when a command was not started, by the result's error. */
const nextSteps = new Map([
  ["cancelled", "Nothing ran."],
  ["network_denied", "Say in network why it is needed, or do without."],
  ["evidence_exhausted", "The conversation's evidence is used up: tell the user."],
  ["session_closed", "The conversation is closing."],
  ["too_many_processes", "Wait until another one has ended, or end one with cancel_process."],
  ["not_started", "Check that the program is there, for example with command -v."],
])

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
