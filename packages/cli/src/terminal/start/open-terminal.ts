import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Kernel } from "@harness/kernel"
import { type KernelEvent, toFailure } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { offerTrust } from "../../commands/trust.ts"
import { signalExit } from "../../exit-codes.ts"
import { watchInterruption } from "../../interruption.ts"
import type { Exit, Invocation } from "../../invocation.ts"
import { printThrown } from "../../problems.ts"
import { visible } from "../../text/visible.ts"
import type { OpenedConversation, TerminalOptions } from "../contracts.ts"
import { askModel } from "./model.ts"
import { left, type Prompts } from "./prompts.ts"
import { askWhere } from "./where.ts"
import { askConversation } from "./which-conversation.ts"

/** What is to be opened: what the person chose, or a conversation that goes on. */
type Opening = {
  folder: string
  kind?: string | undefined
  model?: string | undefined
  resume?: string | undefined
  /** See the command `open`. */
  elsewhere?: boolean | undefined
  message?: string | undefined
}

/**
 * `harness` in a terminal: asks what the options leave open (where to work, the model, its key, the
 * folder's trust), opens the conversation and shows it until the person leaves. Leaving a question
 * leaves nothing begun, with exit code 130.
 */
export async function openTerminal(
  invocation: Invocation,
  options: TerminalOptions,
): Promise<Exit> {
  // Loading what draws sets a variable for a moment: what the kernel starts must not see it.
  const own = { ...invocation, env: { ...invocation.env } }
  const interruption = watchInterruption(invocation)
  const { stdin, stdout, stderr } = invocation
  const prompts = { stdin, output: stderr.isTTY ? stderr : stdout, signal: interruption.first }
  // Between two questions nobody else listens: without a listener a lost terminal ends the process at once.
  stdin.open().on("error", () => {})
  const leftExit = (): Exit => {
    const code = interruption.exit()
    return code === undefined ? { code: signalExit.SIGINT } : { code, now: true }
  }

  try {
    const kernel = await own.compose(own)
    try {
      const opening = await askOpening(kernel, options, { invocation: own, prompts })
      if (opening === left || interruption.first.aborted) return leftExit()
      return await show(kernel, opening, own)
    } finally {
      await Promise.race([kernel.close(), delay(closeMs, undefined, { ref: false })])
    }
  } catch (error) {
    return { code: await printThrown(error, invocation) }
  } finally {
    interruption.stop()
  }
}

/** What still runs then is left to the reaper. */
const closeMs = 5_000

type Asking = { invocation: Invocation; prompts: Prompts }

async function askOpening(
  kernel: Kernel,
  { message, folder: named, model: wanted, resume }: TerminalOptions,
  { invocation, prompts }: Asking,
): Promise<Opening | typeof left> {
  const here = resolve(invocation.cwd, named ?? ".")
  if (resume !== undefined) {
    const conversation = resume === "" ? await askConversation(kernel, here, prompts) : resume
    if (conversation === left) return left
    // Whoever names no folder means the conversation's own, wherever they are.
    const elsewhere = named === undefined && conversation !== "last"
    if (!elsewhere && !(await trusted(kernel, here, prompts))) return left
    return { folder: here, model: wanted, resume: conversation, elsewhere, message }
  }

  const isSaid = named !== undefined || message !== undefined
  const where = isSaid ? { folder: here } : await askWhere(kernel, invocation, prompts)
  if (where === left || !(await trusted(kernel, where.folder, prompts))) return left
  const model = await askModel(wanted, { kernel, folder: where.folder, prompts })
  if (model === left) return left
  nameGuidance(where.folder, prompts)
  return { ...where, model, message }
}

/** False when the person left. */
async function trusted(kernel: Kernel, folder: string, prompts: Prompts): Promise<boolean> {
  const { stdin, output: stderr, signal } = prompts
  await offerTrust(kernel, folder, { stdin, stderr, signal })
  return !signal.aborted
}

function nameGuidance(folder: string, { output }: Prompts): void {
  const found = guidanceFiles.find(name => existsSync(join(folder, name)))
  if (found !== undefined) output.write(visible(`${found} found: the model is told what it says\n`))
}

/** The first of them counts. */
const guidanceFiles = ["AGENTS.md", "CLAUDE.md"]

/** Shows the conversation, and those that the person goes on to from it. */
async function show(kernel: Kernel, first: Opening, invocation: Invocation): Promise<Exit> {
  const { folder } = first
  const [{ runTerminal }, opened] = await Promise.all([loadTerminal(), open(kernel, first)])
  let current = opened
  for (;;) {
    const end = await runTerminal(kernel, current.opened, invocation).finally(current.forget)
    if (end.type === "left") return end.exit

    const before = current.opened.conversation
    current = await open(kernel, { folder, resume: end.conversation, elsewhere: true }).catch(
      (error: unknown) => {
        const { code, message } = toFailure(error)
        invocation.stdout.write(visible(`error ${code}: ${message}\n`))
        return open(kernel, { folder, resume: before, elsewhere: true })
      },
    )
  }
}

/** Loads while the worker starts. */
async function loadTerminal() {
  const [{ runTerminal }, { loadApp }] = await Promise.all([
    import("../app/run-terminal.ts"),
    import("../app/load-app.ts"),
  ])
  await loadApp()
  return { runTerminal }
}

/** A conversation that is open, and what it told until somebody listens. */
type Opened = { opened: OpenedConversation; forget: () => void }

async function open(kernel: Kernel, { message, ...opening }: Opening): Promise<Opened> {
  const told: KernelEvent[] = []
  const forget = kernel.subscribe(event => told.push(event))
  try {
    const { conversation, state } = await ask(kernel, {
      type: "open",
      ...opening,
      agent: "harness",
      approve_default: "gate",
      approver: true,
    })
    const opened = {
      conversation,
      told,
      past: opening.resume === undefined ? [] : await pastOf(kernel, conversation, told),
      contextTokens: state.context_tokens,
      ...(message !== undefined && { message }),
    }
    return { opened, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** What happened before it was opened. */
async function pastOf(kernel: Kernel, conversation: string, told: readonly KernelEvent[]) {
  const { events } = await ask(kernel, { type: "show", conversation })
  const begins = told.flatMap(({ event }) => ("seq" in event ? [event.seq] : []))[0]
  return begins === undefined ? events : events.filter(({ seq }) => seq < begins)
}
