import { join } from "node:path"
import {
  type AssistantPart,
  type ConversationEvent,
  failure,
  Limits,
  type Message,
  type Price,
} from "@harness/protocol"
import type { ModelEvent, ModelRequest, Provider } from "@harness/sdk"
import { createBudget } from "../../../../src/budget/budget.ts"
import { createTurnClock } from "../../../../src/budget/turn-clock.ts"
import { openFileEvidence } from "../../../../src/evidence/file-store.ts"
import { createLedger } from "../../../../src/evidence/ledger.ts"
import { createCompaction } from "../../../../src/loop/compaction/compaction.ts"
import { keepText } from "../../../../src/loop/compaction/keep-text.ts"
import { createKnownFiles } from "../../../../src/loop/known-files.ts"
import { createOverhead } from "../../../../src/loop/overhead.ts"
import { createRecorder } from "../../../../src/loop/recorder.ts"
import { messageQueue } from "../../../../src/loop/steering/queue.ts"
import type { WorkingStyle } from "../../../../src/loop/styles/style.ts"
import { runTurn, type TurnEnd } from "../../../../src/loop/turn.ts"
import type { Model } from "../../../../src/provider/resolve.ts"
import { openLog } from "../../../conversation/support/open-log.ts"
import { temporaryFolder } from "../../../support/temporary.ts"

/** What the scripted model does with a request. */
export type ScriptedTurn =
  | { parts: AssistantPart[]; finish?: "stop" | "length" }
  | { fails: string }

export type SmallModel = {
  /** The window that the model really has; a longer request is refused. */
  windowTokens: number
  /** What harness is told of it; undefined: nothing. */
  toldTokens?: number | undefined
  /** The most that a reply can hold. */
  outputTokens?: number
  /** The answer to the nth request of a step, from 0. */
  step: (n: number) => ScriptedTurn
  /** The answer to the nth request for a summary, from 0. */
  summary?: (n: number) => ScriptedTurn
  /** Says how long the window is when it refuses. */
  names?: boolean
  price?: Price
  /** What evidence may take in all. */
  evidenceBytes?: number
  limits?: Partial<Limits>
}

/** A conversation with a real log, evidence, budget and loop, and a model whose window is small. */
export async function converse(small: SmallModel) {
  const folder = await temporaryFolder()
  const opened = openLog(folder)
  const evidence = openFileEvidence({ folder: join(folder, "artifacts", "evidence") })
  const events: ConversationEvent[] = []
  const recorder = createRecorder({
    log: opened.log,
    evidence,
    tell: event => events.push(event),
    lastSeq: 0,
  })
  const asked: ModelRequest[] = []
  const now = () => performance.now()
  const [clock, overhead, messages] = [createTurnClock(now), createOverhead(now), [] as Message[]]
  const model: Model = {
    provider: scripted(small, asked),
    providerName: "small",
    name: "m",
    id: "small/m",
    price: small.price,
    contextTokens: small.toldTokens,
    outputTokens: small.outputTokens,
    maxOutputTokens: undefined,
    images: undefined,
    notices: [],
  }
  const style = scriptedStyle()
  const fixedBytes = Buffer.byteLength(style.instructions + JSON.stringify(style.tools))
  const known = createKnownFiles()
  const ledger = createLedger({ limitBytes: small.evidenceBytes ?? 1_000_000, usedBytes: 0 })
  const limits = Limits.parse({ max_steps: 500, ...small.limits })
  const budget = createBudget({
    conversation: "c0ffee000001",
    limits,
    model: { id: model.id, price: model.price, fixedBytes },
    clock,
    events: [],
    messages,
  })
  const parts = {
    conversation: "c0ffee000001",
    recorder,
    model,
    style,
    budget,
    overhead,
    now,
    messages,
  }
  const keepAs = (role: string) => (text: string) => keepText(text, { evidence, ledger, role })
  const compaction = createCompaction({
    ...parts,
    events: () => opened.log.read(),
    known,
    resultBytes: limits.result_bytes,
    keepText: keepAs("message"),
  })
  const queue = messageQueue()
  /** What breaks off the step that runs. */
  const step: { stop: AbortController | null } = { stop: null }
  let turns = 0

  return {
    queue,
    step,
    compact: () => compaction.compact({ turn: turns, step: 1 }, new AbortController().signal),
    /** The requests so far. */
    asked,
    events,
    messages,
    known,
    evidence,
    budget,
    log: () => opened.log.read(),
    release: opened.release,
    async send(text: string, signal = new AbortController().signal): Promise<TurnEnd> {
      turns += 1
      queue.open()
      return runTurn(
        {
          ...parts,
          working: () => ({ model, style, compaction }),
          keepResult: keepAs("result"),
          images: { bytes: undefined },
          queue,
          untold: [],
          stepRuns(_step, stop) {
            step.stop = stop
          },
          verify: null,
        },
        {
          turn: turns,
          message: { role: "user", content: [{ type: "text", text }] },
          signal,
        },
      )
    },
  }
}

/** Whether a request asks for a summary. */
export function asksForSummary({ messages }: Pick<ModelRequest, "messages">): boolean {
  const last = messages.at(-1)
  const part = last?.role === "user" ? last.content.at(-1) : undefined
  return part?.type === "text" && part.text.startsWith("[harness] The window is nearly full.")
}

/** Counted by words and signs, as tokenizers do, and not as harness estimates it. */
export function tokensIn({ instructions, tools, messages }: ModelRequest): number {
  const texts: string[] = [instructions]
  const take = (value: unknown): void => {
    if (typeof value === "string") texts.push(value)
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(take)
  }
  take(tools)
  for (const { content } of messages) take(content)
  return texts.reduce((sum, text) => sum + (text.match(/\w{1,4}|[^\w\s]/g) ?? []).length + 2, 0)
}

function scripted(small: SmallModel, asked: ModelRequest[]): Provider {
  let [steps, summaries] = [0, 0]
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted()
      asked.push({ ...request, messages: [...request.messages] })
      const input = tokensIn(request)
      if (input > small.windowTokens) throw tooLong(small)

      const isSummary = asksForSummary(request)
      const { summary = () => ({ parts: [{ type: "text", text: "Much was done." }] }) } = small
      const turn: ScriptedTurn = isSummary ? summary(summaries++) : small.step(steps++)
      signal.throwIfAborted()
      if ("fails" in turn) {
        throw failure("provider_failed", {
          provider: "small",
          model: "m",
          reason: turn.fails,
          hint: "Try again.",
          unbilled: true,
        })
      }
      for (const part of turn.parts) {
        if (part.type === "text") yield { type: "delta", of: "text", text: part.text }
        yield { type: "part", part }
      }
      const called = turn.parts.some(({ type }) => type === "call")
      const output = tokensIn({
        ...request,
        instructions: "",
        tools: [],
        messages: [{ role: "assistant", content: turn.parts }],
      })
      yield {
        type: "finish",
        reason: turn.finish ?? (called ? "tool_calls" : "stop"),
        usage: {
          input_tokens: input,
          cached_input_tokens: null,
          output_tokens: output,
          reasoning_tokens: null,
        },
      }
    },
  }
}

function tooLong({ windowTokens, names }: SmallModel) {
  return failure("provider_failed", {
    provider: "small",
    model: "m",
    reason: "the prompt is too long",
    hint: "Make it shorter.",
    unbilled: true,
    context_overflow: true,
    context_tokens: names === true ? windowTokens : null,
  })
}

/** One tool, `say`, whose result is the text that it was given. */
function scriptedStyle(): WorkingStyle {
  return {
    instructions: "You are careful. ".repeat(40),
    tools: [{ name: "say", description: "Says it.", parameters: { type: "object" } }],
    readsOnly: () => false,
    async run({ part, input }) {
      const text = String(input.text ?? "").repeat(Number(input.times ?? 1))
      return {
        part: { type: "result", call_id: part.id, tool: part.tool, status: "ok", text },
        reached: null,
      }
    },
    warm() {},
    async dispose() {},
  }
}

/** A reply that calls `say`. */
export function says(n: number, text: string, times = 1): ScriptedTurn {
  const call = { id: `c${n}`, tool: "say", arguments: JSON.stringify({ text, times }) }
  return { parts: [{ type: "call", ...call }] }
}

export function answers(text: string): ScriptedTurn {
  return { parts: [{ type: "text", text }] }
}
