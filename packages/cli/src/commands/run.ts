import { resolve } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Kernel } from "@harness/kernel"
import {
  type ApproveMode,
  type ConversationEvent,
  failure,
  type OpenConversation,
} from "@harness/protocol"
import { ask } from "../ask.ts"
import { exitOfTurn } from "../exit-codes.ts"
import { type Interruption, watchInterruption } from "../interruption.ts"
import type { Exit, Input, Invocation } from "../invocation.ts"
import { answerPrinter } from "../printers/answer.ts"
import { jsonPrinter } from "../printers/json.ts"
import type { Printer } from "../printers/printer.ts"
import { textPrinter } from "../printers/text.ts"
import { printEnding, printThrown } from "../problems.ts"
import { elapsed } from "../text/format.ts"
import { paintFor } from "../text/paint.ts"
import { visible } from "../text/visible.ts"
import { absentApprover, terminalApprover } from "./approver.ts"
import { evidenceReader } from "./evidence-reader.ts"

/** The options of `harness run`, as the command line checked them. */
export type RunOptions = {
  folder?: string
  resume?: string
  agent: string
  kind?: string
  model?: string
  style?: "programs" | "tools"
  approve?: ApproveMode
  /** Counts where nobody says a mode. */
  approveDefault?: ApproveMode
  sandbox?: "os" | "off"
  network?: true
  image?: readonly string[]
  verify?: string
  maxSteps?: number
  maxCost?: number
  allowUnknownPrice?: true
  maxTokens?: number
  maxWallSeconds?: number
  json?: true
  print?: true
}

/** How long a second signal lets the kernel end what runs; the reaper ends the rest. */
const hardCloseMs = 1_000

/** `harness run`: one turn of a conversation, a new one or one that goes on, shown as it happens, to an honest exit code. */
export async function run(
  task: string,
  options: RunOptions,
  invocation: Invocation,
): Promise<Exit> {
  const text = task === "-" ? await taskFrom(invocation.stdin) : task
  const images = await imagesFor(options, invocation)
  const interruption = watchInterruption(invocation)

  try {
    const kernel = await invocation.compose(invocation)
    const talk = { text, images, options, invocation, interruption }
    const turn = converse(kernel, talk).catch(error => printThrown(error, invocation))
    const code = await Promise.race([turn, aborted(interruption.second)])
    if (code !== "aborted") return { code: interruption.exit() ?? code }

    await Promise.race([kernel.close(), delay(hardCloseMs)])
    return { code: interruption.exit() ?? 1, now: true }
  } finally {
    interruption.stop()
  }
}

/** Few tasks come with a picture: what reads one is loaded for those. */
async function imagesFor({ image }: RunOptions, { cwd }: Invocation) {
  if (image === undefined) return undefined
  const { readImages } = await import("./images.ts")
  return readImages(image, cwd)
}

/** A task that cannot be read is a wrong call, like one that is missing. */
async function taskFrom(stdin: Input): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdin.open()) chunks.push(Buffer.from(chunk))

  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks))
    if (text.trim() !== "") return text
  } catch {
    throw taskInvalid("standard input is not UTF-8 text")
  }
  throw taskInvalid("standard input is empty")
}

function taskInvalid(reason: string) {
  return failure("option_invalid", { option: "task", value: "-", reason, command: "run" })
}

type Talk = {
  text: string
  images: Awaited<ReturnType<typeof imagesFor>>
  options: RunOptions
  invocation: Invocation
  interruption: Interruption
}

async function converse(kernel: Kernel, talk: Talk): Promise<number> {
  const { text, images, options, invocation, interruption } = talk
  const printer = printerFor(options, invocation)
  const opening = openingOf(options, invocation)
  const approver = opening.approver
    ? terminalApprover(kernel, invocation)
    : absentApprover(invocation)
  const unsubscribe = kernel.subscribe(told => {
    printer.event(told.event)
    approver.event(told)
    if (options.print) note(told.event, invocation)
  })

  try {
    // One that may go on somewhere else was asked about where it began; that it changed is a note.
    if (opening.approver && (opening.resume === "last" || !opening.elsewhere)) {
      const { offerTrust } = await import("./trust.ts")
      await offerTrust(kernel, opening.folder, { ...invocation, signal: interruption.first })
      if (interruption.first.aborted) return 1
    }
    const { conversation } = await ask(kernel, opening)
    if (interruption.first.aborted) return 1

    const interrupt = () =>
      void kernel.dispatch({ type: "interrupt", conversation, reason: reasonOf(interruption) })
    interruption.first.addEventListener("abort", interrupt, { once: true })

    const { verify } = options
    const turn = await ask(kernel, { type: "send", conversation, text, images, verify })
    interruption.first.removeEventListener("abort", interrupt)
    await printer.ended(turn, conversation, evidenceReader(kernel, conversation))
    if (!invocation.stdout.closed.aborted) printEnding(turn, invocation)
    return exitOfTurn(turn)
  } finally {
    await kernel.close()
    unsubscribe()
  }
}

/**
 * Where the answer stands alone on standard output: that the folder's own settings do not count, and
 * that a busy server is waited for.
 */
function note(event: ConversationEvent, { stderr }: Invocation): void {
  if (event.type === "model_waiting") {
    stderr.write(visible(`note: waiting ${elapsed(event.ms)}: ${event.reason}\n`))
  }
  if (event.type !== "notice" || event.code !== "project_ignored") return
  stderr.write(visible(`note: ${event.message}\n`))
}

function printerFor({ json, print }: RunOptions, { stdout, env }: Invocation): Printer {
  if (json) return jsonPrinter(stdout)
  if (print) return answerPrinter(stdout)
  return textPrinter(stdout, paintFor(stdout, env))
}

function openingOf(options: RunOptions, { cwd, stdin, stderr }: Invocation): OpenConversation {
  const { folder, resume, agent, kind, model, style, approve, approveDefault, sandbox, network } =
    options
  const { maxSteps, maxCost, allowUnknownPrice, maxTokens, maxWallSeconds } = options
  return {
    type: "open",
    folder: resolve(cwd, folder ?? "."),
    resume,
    // Whoever names no folder means the conversation's own, wherever they are.
    elsewhere: resume === undefined ? undefined : folder === undefined,
    kind,
    agent,
    model,
    style,
    approve,
    approve_default: approveDefault,
    sandbox,
    network,
    max_steps: maxSteps,
    max_cost: maxCost,
    allow_unknown_price: allowUnknownPrice,
    max_tokens: maxTokens,
    max_wall_seconds: maxWallSeconds,
    // Whatever the mode: a rule of the user or a policy of a package may ask too.
    approver: stdin.isTTY && stderr.isTTY,
  }
}

function reasonOf({ first }: Interruption): string {
  return String(first.reason)
}

function aborted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise(settle => {
    if (signal.aborted) settle("aborted")
    else signal.addEventListener("abort", () => settle("aborted"), { once: true })
  })
}
