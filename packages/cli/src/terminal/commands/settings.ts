import { ApproveMode, failure, Style } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { modelLines } from "../../text/models.ts"
import { visible } from "../../text/visible.ts"
import type { Completion, SlashCommand, TerminalCommands } from "../contracts.ts"
import { say, sayTable } from "./saying.ts"

/** `/model`, `/style`, `/approve`, `/plan`: what counts from the next step on. */
export function settingCommands(): SlashCommand[] {
  let beforePlan: ApproveMode | undefined

  return [
    {
      name: "model",
      arguments: "[provider/model]",
      description: "the model that answers; without a name, which there are",
      complete: modelNames,
      run: async (rest, terminal) => {
        const model = rest.trim()
        if (model === "") await listModels(terminal)
        else await configure(terminal, { model })
      },
    },
    {
      name: "style",
      arguments: "[programs|tools]",
      description: "whether the model writes programs or calls tools",
      complete: async () => Style.options.map(value => ({ value })),
      run: async (rest, terminal) => {
        const word = rest.trim()
        if (word === "") say(terminal, `style ${terminal.view().status.style}`)
        else await configure(terminal, { style: oneOf(word, Style, "style") })
      },
    },
    {
      name: "approve",
      arguments: "[gate|programs|none|plan]",
      description: "what is put before you first",
      complete: async () => ApproveMode.options.map(value => ({ value, note: meanings[value] })),
      run: async (rest, terminal) => {
        const word = rest.trim()
        if (word === "") say(terminal, `approve ${terminal.view().status.approve}`)
        else await configure(terminal, { approve: oneOf(word, ApproveMode, "approve") })
      },
    },
    {
      name: "plan",
      arguments: "",
      description: "only read and propose; again, back to what it was",
      run: async (_rest, terminal) => {
        const { approve } = terminal.view().status
        if (approve === "plan") {
          await configure(terminal, { approve: beforePlan ?? "gate" })
        } else {
          await configure(terminal, { approve: "plan" })
          beforePlan = ApproveMode.options.find(mode => mode === approve)
        }
      },
    },
  ]
}

const meanings: Record<ApproveMode, string> = {
  gate: "every write, execute, interact",
  programs: "each program once, whole",
  none: "nothing, but what a rule says",
  plan: "nothing: whatever is no read is denied",
}

/** What changed is told by the event that it makes. */
async function configure(
  { kernel, conversation }: TerminalCommands,
  settings: { model?: string; style?: Style; approve?: ApproveMode },
): Promise<void> {
  await ask(kernel, { type: "configure", conversation, ...settings })
}

async function listModels(terminal: TerminalCommands): Promise<void> {
  const { kernel, columns } = terminal
  const { models, unknown } = await ask(kernel, { type: "models" })
  const { model } = terminal.view().status
  if (models.length === 0) say(terminal, "no models are known")
  else {
    const shown = models.map(each => ({ ...each, default: each.id === model }))
    sayTable(terminal, visible(modelLines(shown, columns)).trimEnd().split("\n"))
  }
  for (const { provider, reason } of unknown) say(terminal, `${provider}: ${reason}`)
  say(terminal, `* answers now · /model ${models[0]?.id ?? "provider/model"} changes it`)
}

async function modelNames({ kernel }: TerminalCommands): Promise<Completion[]> {
  const { models } = await ask(kernel, { type: "models" })
  return models.map(({ id }) => ({ value: id }))
}

function oneOf<Value extends string>(
  word: string,
  { options }: { options: readonly Value[] },
  command: string,
): Value {
  const value = options.find(option => option === word)
  if (value !== undefined) return value
  const reason = `"${word}" is none of ${options.join(", ")}`
  throw failure("command_invalid", { command: `/${command}`, reason })
}
