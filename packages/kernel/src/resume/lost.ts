import { hash } from "node:crypto"
import { readdir } from "node:fs/promises"
import type {
  DurableEvent,
  EventBody,
  EvidenceLink,
  FileState,
  ProcessReceipt,
} from "@harness/protocol"
import { receiptOf } from "../audit/expected.ts"
import { errnoOf } from "../config/errno.ts"
import { harnessEnded, resultOfLostCall } from "../conversation/lost-call.ts"

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

/** What was going on when the process that had a conversation was lost, by its log alone. */
export type Lost = {
  /** Requests to a person that nobody answered. */
  requests: readonly Of<"request_opened">[]
  /** Actions that were proposed and did not end, and whether they were begun. */
  actions: readonly { proposed: Of<"action_proposed">; isBegun: boolean }[]
  /** Processes that outlived their actions: their ids, and the action of each. */
  processes: ReadonlyMap<string, string>
  programs: readonly Of<"program_started">[]
  /** The last reply, when calls of it have no results. */
  reply: Of<"step_ended"> | null
  turn: number | null
}

export function lostIn(events: readonly DurableEvent[]): Lost {
  const requests = new Map<string, Of<"request_opened">>()
  const actions = new Map<string, { proposed: Of<"action_proposed">; isBegun: boolean }>()
  const processes = new Map<string, string>()
  const programs = new Map<number, Of<"program_started">>()
  let reply: Of<"step_ended"> | null = null
  let turn: number | null = null

  for (const event of events) {
    const receipt = receiptOf(event)
    if (receipt?.status === "running" && event.type === "action_ended") {
      processes.set(receipt.id, event.action_id)
    } else if (receipt !== undefined) processes.delete(receipt.id)

    if (event.type === "request_opened") requests.set(event.request, event)
    else if (event.type === "request_answered") requests.delete(event.request)
    else if (event.type === "action_proposed") {
      actions.set(event.action_id, { proposed: event, isBegun: false })
    } else if (event.type === "action_started") {
      const action = actions.get(event.action_id)
      if (action) actions.set(event.action_id, { ...action, isBegun: true })
    } else if (event.type === "action_ended") actions.delete(event.action_id)
    else if (event.type === "program_started") programs.set(event.program, event)
    else if (event.type === "program_ended") programs.delete(event.program)
    else if (event.type === "step_ended") reply = hasCalls(event) ? event : null
    else if (event.type === "results") reply = null
    else if (event.type === "turn_started") turn = event.turn
    else if (event.type === "turn_ended") turn = null
  }
  return {
    requests: [...requests.values()],
    actions: [...actions.values()],
    processes,
    programs: [...programs.values()],
    reply,
    turn,
  }
}

/** How a process ended that no record tells the end of, and what its worker kept of what it did. */
export type LostProcess = { receipt: ProcessReceipt; evidence: EvidenceLink[] }

export type LostProcesses = ReadonlyMap<string, LostProcess>

/**
 * The receipts of the processes that were lost: of those that the log knows to be running, and, when an
 * action was under way, of those in the folder `processes` that no record names. Waits for the reaper.
 */
export async function lostProcesses(
  lost: Lost,
  options: {
    events: readonly DurableEvent[]
    processes: string
    receiptOf: (id: string) => Promise<ProcessReceipt>
    /** Whether a payload lies there. */
    isKept: (sha256: string) => boolean
  },
): Promise<LostProcesses> {
  const named = new Set(options.events.flatMap(event => receiptOf(event)?.id ?? []))
  const unnamed = lost.actions.some(({ isBegun }) => isBegun)
    ? (await namesIn(options.processes)).filter(id => isProcess.test(id) && !named.has(id))
    : []
  const ids = [...lost.processes.keys(), ...unnamed]
  const receipts = await Promise.all(ids.map(options.receiptOf))
  return new Map(
    receipts.map(receipt => [
      receipt.id,
      { receipt, evidence: evidenceOf(receipt, options.isKept) },
    ]),
  )
}

/** A worker that finds its controller gone ends its processes and keeps what they changed, as ever. */
function evidenceOf(receipt: ProcessReceipt, isKept: (sha256: string) => boolean): EvidenceLink[] {
  return (receipt.changes?.files ?? []).flatMap(({ path, before, after }) => [
    ...linkTo("command_before", path, before, isKept),
    ...linkTo("command_after", path, after, isKept),
  ])
}

function linkTo(
  role: string,
  path: string,
  state: FileState | null,
  isKept: (sha256: string) => boolean,
): EvidenceLink[] {
  if (state === null || state.sha256 === null || !isKept(state.sha256)) return []
  return [{ role, sha256: state.sha256, bytes: state.bytes, path }]
}

const isProcess = /^[0-9a-f]{8}$/

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return []
    throw error
  }
}

/**
 * The records that end what was lost, so that the log tells of each thing how it came out: `unknown`
 * where nobody saw it. Nothing is done again. The results of lost calls stand as the model is told them.
 */
export function endingsOf(
  lost: Lost,
  left: {
    events: readonly DurableEvent[]
    processes: LostProcesses
    /** Payloads that no record names. */
    payloads: readonly EvidenceLink[]
  },
): EventBody[] {
  const { events, processes } = left
  const ended = [
    ...lost.requests.map(({ request }): EventBody => {
      return { type: "request_answered", request, decision: "deny", by: "interrupt" }
    }),
    ...endsOfActions(lost, left),
    ...[...lost.processes].flatMap(([id, action]) => endOfProcess(action, processes.get(id))),
    ...lost.programs.map(endOfProgram),
  ]
  const since = [...events.slice(lost.reply?.seq ?? events.length), ...ended]
  return [
    ...ended,
    ...(lost.reply === null ? [] : [resultsOf(lost.reply, since)]),
    ...(lost.turn === null ? [] : [endOfTurn(lost.turn)]),
  ]
}

/** What changes something runs alone: what nobody named belongs to the last action that does. */
function endsOfActions(
  { actions, processes }: Lost,
  left: { processes: LostProcesses; payloads: readonly EvidenceLink[] },
): EventBody[] {
  const unnamed = [...left.processes.values()].filter(({ receipt }) => !processes.has(receipt.id))
  const linked = new Set(unnamed.flatMap(({ evidence }) => evidence.map(({ sha256 }) => sha256)))
  const payloads = left.payloads.filter(({ sha256 }) => !linked.has(sha256))
  const owner = ownerIn(actions)
  return actions.flatMap(({ proposed, isBegun }) => {
    if (proposed !== owner) return [endOfAction(proposed, isBegun, undefined, [])]
    const others = unnamed.slice(0, -1)
    return [
      endOfAction(proposed, isBegun, unnamed.at(-1), payloads),
      ...others.flatMap(process => endOfProcess(proposed.action_id, process)),
    ]
  })
}

function ownerIn(actions: Lost["actions"]): Of<"action_proposed"> | undefined {
  const begun = actions.findLast(({ proposed, isBegun }) => isBegun && proposed.effect !== "read")
  return begun?.proposed
}

function endOfAction(
  { action_id, action }: Of<"action_proposed">,
  isBegun: boolean,
  lost: LostProcess | undefined,
  payloads: readonly EvidenceLink[],
): EventBody {
  const process = lost?.receipt
  const evidence = [...(lost?.evidence ?? []), ...payloads]
  const status = isBegun ? ("unknown" as const) : ("cancelled" as const)
  return {
    type: "action_ended",
    action_id,
    action,
    result: {
      error: harnessEnded,
      status,
      message: isBegun
        ? "harness ended before the action did: nobody saw whether it took effect."
        : "harness ended before the action was begun: it did not run.",
      ...(process && { output_id: process.output_id }),
    },
    receipt: {
      status,
      elapsed_ms: process === undefined ? 0 : process.elapsed_seconds * 1_000,
      evidence,
      evidence_bytes: bytesOf({ evidence, output_bytes: process?.output_bytes ?? 0 }),
      ...(process && { process }),
    },
  }
}

function endOfProcess(action_id: string, lost: LostProcess | undefined): EventBody[] {
  if (lost === undefined) return []
  const { receipt: process, evidence } = lost
  const evidence_bytes = bytesOf({ evidence, output_bytes: process.output_bytes })
  return [{ type: "process_ended", action_id, evidence_bytes, evidence, process }]
}

function bytesOf(left: { evidence: readonly EvidenceLink[]; output_bytes: number }): number {
  return left.evidence.reduce((sum, { bytes }) => sum + bytes, left.output_bytes)
}

/** What it printed was in memory, and is lost. */
function endOfProgram({ turn, step, program }: Of<"program_started">): EventBody {
  return {
    type: "program_ended",
    turn,
    step,
    program,
    status: "died",
    exit_code: null,
    error: "harness ended while it ran",
    calls: 0,
    output_characters: 0,
    output_bytes: 0,
    output_sha256: hash("sha256", ""),
    output_kept: false,
    elapsed_ms: 0,
    variables_kept: false,
  }
}

function hasCalls({ message }: Of<"step_ended">): boolean {
  return message.content.some(part => part.type === "call")
}

function resultsOf(
  { turn, step, message }: Of<"step_ended">,
  since: readonly EventBody[],
): EventBody {
  const calls = message.content.filter(part => part.type === "call")
  const content = calls.map(call => resultOfLostCall(call, since))
  return { type: "results", turn, step, message: { role: "tool", content } }
}

/** The reason of a turn's ending that nobody saw. */
export const turnLost = "harness ended in the middle of the turn"

function endOfTurn(turn: number): EventBody {
  const ending = { status: "interrupted" as const, reason: turnLost }
  return { type: "turn_ended", turn, ending, verification: "not_requested" }
}
