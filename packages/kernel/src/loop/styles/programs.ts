import { createHash } from "node:crypto"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  type ActionOutcome,
  type ImagePart,
  type JsonObject,
  type Limits,
  type ProgramStatus,
  toFailure,
} from "@harness/protocol"
import type {
  KindDefinition,
  ProgramEnd,
  ProgramRuntimeDefinition,
  ProgramSession,
} from "@harness/sdk"
import * as z from "zod"
import type { Ledger } from "../../evidence/ledger.ts"
import type { Policy } from "../../policy/policy.ts"
import type { Requests } from "../../policy/requests.ts"
import type { Performer } from "../../scheduler/perform.ts"
import { programsInstructions } from "../instructions/programs.ts"
import type { KnownFileTable } from "../known-files.ts"
import type { Overhead } from "../overhead.ts"
import { programReport } from "../program-report.ts"
import type { Recorder } from "../recorder.ts"
import { parametersOf, schemaOf } from "../schema.ts"
import type { RoomReached, StyleCall, StyleResult, WorkingStyle } from "./style.ts"

export type ProgramsStyleParts = {
  kind: KindDefinition
  runtimes: readonly ProgramRuntimeDefinition[]
  performer: Performer
  policy: Policy
  requests: Requests
  approver: boolean
  recorder: Recorder
  ledger: Ledger
  known: KnownFileTable
  overhead: Pick<Overhead, "without">
  limits: Limits
  cacheFolder: string
  /** Where programs' sources and outputs are kept: `artifacts/programs`. */
  programsFolder: string
  /** Programs that the conversation has had before: their numbers go on. */
  programsBefore: number
}

/** Outcomes kept with a result; a program may make thousands of calls. */
const OUTCOMES_KEPT = 100

/** The style `programs`: one tool, `run_program`; the actions are functions in it. */
export function programsStyle(parts: ProgramsStyleParts): WorkingStyle {
  const { kind, recorder, limits } = parts
  const runtimes = new Map(parts.runtimes.map(runtime => [runtime.name, runtime]))
  const languages = [...runtimes.keys()]
  const parameters = new Map(kind.actions.map(action => [action.name, parametersOf(action.input)]))
  const sessions = new Map<string, Promise<ProgramSession>>()
  let count = parts.programsBefore

  const Input = z.strictObject({
    language: z.enum(languages),
    source: z.string().min(1),
  })

  function sessionOf(language: string): Promise<ProgramSession> {
    const running = sessions.get(language)
    if (running !== undefined) return running
    const runtime = runtimes.get(language)
    if (runtime === undefined) throw new Error(`the style offers no language ${language}`)
    const started = runtime.start({
      functions: kind.actions.map(action => ({
        name: action.name,
        parameters: parameters.get(action.name) ?? [],
        description: action.description,
      })),
      limits,
      cacheFolder: parts.cacheFolder,
    })
    started.catch(() => sessions.delete(language))
    sessions.set(language, started)
    return started
  }

  async function run(call: StyleCall): Promise<StyleResult> {
    const parsed = Input.safeParse(call.input)
    if (!parsed.success) {
      const said = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
      const result = { error: "invalid_arguments", message: said.join("; ") }
      return {
        part: resultPart(call, "invalid_arguments", JSON.stringify(result)),
        reached: null,
      }
    }
    const { language, source } = parsed.data
    const program = ++count
    const place = { turn: call.turn, step: call.step, program }
    recorder.record({ type: "program_started", ...place, call_id: call.part.id, language, source })

    const approval = await approve(program, language, source, call.signal)
    if (!approval.approved) {
      recorder.record({ type: "program_ended", ...place, ...endRecord(denied, "denied", "") })
      const result = { tool: call.part.tool, status: "denied", ...approval.why }
      return { part: resultPart(call, "denied", JSON.stringify(result)), reached: null }
    }

    const outcomes: ActionOutcome[] = []
    const images: ImagePart[] = []
    let output = ""
    let exhausted = false
    const end = await runIn(language, {
      source,
      signal: call.signal,
      output(stream, text) {
        output += text
        recorder.pass({ type: "program_output", program, stream, text })
      },
      async call(action, input, clock) {
        const performed = await parts.performer.perform({
          origin: { type: "program", call_id: call.part.id, program },
          turn: call.turn,
          step: call.step,
          action,
          input,
          programApproved: approval.byPerson,
          signal: call.signal,
          imagesLeft: limits.images_shown - images.length,
          clock,
        })
        if (performed.status === "invalid") return { refuse: performed.message }
        exhausted ||= performed.exhausted
        outcomes.push(performed.outcome)
        images.push(...performed.images)
        parts.known.learn(performed.action, performed.input, performed.result)
        return { ok: performed.result }
      },
    })

    const full = await keep(program, source, output)
    recorder.record({
      type: "program_ended",
      ...place,
      ...endRecord(end, end.status, output),
      ...(full !== null && { output_kept: false as const }),
    })
    const text = programReport({
      end,
      output,
      outputName: `output:program-${program}`,
      outcomes,
      limits,
      limitBytes: call.limitBytes,
    })
    return {
      part: {
        ...resultPart(call, end.status, text),
        ...(images.length > 0 && { images }),
        actions: outcomes.slice(-OUTCOMES_KEPT),
      },
      reached: exhausted ? "evidence" : full,
    }
  }

  async function runIn(
    language: string,
    program: Parameters<ProgramSession["run"]>[0],
  ): Promise<ProgramEnd> {
    try {
      const session = await sessionOf(language)
      return await parts.overhead.without(back =>
        session.run({
          ...program,
          call: (action, input, clock) => back(() => program.call(action, input, clock)),
        }),
      )
    } catch (error) {
      return { ...denied, status: "died", error: toFailure(error).message, variablesKept: false }
    }
  }

  async function approve(program: number, language: string, source: string, signal: AbortSignal) {
    if (parts.policy.mode !== "programs") return { approved: true as const, byPerson: false }
    if (!parts.approver) {
      const why: JsonObject = { by: "no_approver", reason: "nobody is there to approve it" }
      return { approved: false as const, why }
    }
    const answer = await parts.requests.open(
      {
        subject: { type: "program", program },
        title: `a program in ${language}`,
        preview: { format: "source", text: source },
      },
      signal,
    )
    if (answer.decision === "approve") return { approved: true as const, byPerson: true }
    const why: JsonObject = {
      by: answer.by,
      ...(answer.note !== undefined && { reason: answer.note }),
    }
    return { approved: false as const, why }
  }

  /** What has no room for it, or null. The report was made from memory and stays true. */
  async function keep(
    program: number,
    source: string,
    output: string,
  ): Promise<RoomReached | null> {
    const bytes = Buffer.byteLength(source) + Buffer.byteLength(output)
    const reserved = parts.ledger.reserve(bytes, { leastBytes: bytes })
    if (reserved.status === "exhausted") return "evidence"

    const folder = join(parts.programsFolder, String(program))
    let kept = 0
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await Promise.all([
        writeFile(join(folder, "source"), source, { mode: 0o600 }),
        writeFile(join(folder, "output"), output, { mode: 0o600 }),
      ])
      kept = bytes
      return null
    } catch {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
      return "disk"
    } finally {
      parts.ledger.settle(reserved, kept)
    }
  }

  return {
    instructions: programsInstructions(kind, parts.runtimes, name => parameters.get(name) ?? []),
    tools: [
      {
        name: "run_program",
        description:
          "Runs a program in which the functions of the instructions are defined, and gives back what it prints.",
        parameters: schemaOf(Input),
      },
    ],
    readsOnly: () => false,
    run,
    warm() {
      for (const language of languages) sessionOf(language).catch(() => {})
    },
    async dispose() {
      const running = await Promise.allSettled(sessions.values())
      await Promise.all(
        running.map(async session => session.status === "fulfilled" && session.value.dispose()),
      )
    },
  }
}

const denied: ProgramEnd = {
  status: "interrupted",
  exitCode: null,
  error: null,
  calls: 0,
  outputCharacters: 0,
  elapsedMs: 0,
  variablesKept: true,
}

function endRecord(end: ProgramEnd, status: ProgramStatus, output: string) {
  return {
    status,
    exit_code: end.exitCode,
    error: end.error,
    calls: end.calls,
    output_characters: end.outputCharacters,
    output_bytes: Buffer.byteLength(output),
    output_sha256: createHash("sha256").update(output).digest("hex"),
    elapsed_ms: end.elapsedMs,
    variables_kept: end.variablesKept,
  }
}

function resultPart(call: StyleCall, status: string, text: string): StyleResult["part"] {
  return { type: "result", call_id: call.part.id, tool: call.part.tool, status, text }
}
