import type { DurableEvent } from "./events.ts"
import type { Usage } from "./messages.ts"
import { codeOf, isExecution, wordOfAction, wordOfProgram } from "./step-words.ts"

/** A model request with what its calls did, or a compaction. Figures are null where nobody knows. */
export type StepRow = {
  type: "step" | "compaction"
  turn: number
  step: number
  /** `provider/model`. */
  model: string
  usage: Usage
  /** USD. Nothing for what was refused. */
  cost: number | null
  /** Tries of the request that were lost and may have been billed: `cost` is without them. */
  lostTries: number
  /** From the request to the results of its calls, by the dates of the log. */
  durationMs: number
  /** From the request to the end of the reply. */
  modelMs: number | null
  firstTokenMs: number | null
  /** What harness itself took before; of a turn's last row also what it took after. */
  overheadMs: number | null
  /** Those that its calls proposed. */
  actions: number
  /**
   * How its actions and refused calls ended, equal words together, in the order of what was proposed:
   * `ok · auto`, `approved`, `approved · exit 0`, `denied`, an error's code. Without calls it is one:
   * `final answer`, the reason why the model stopped, or the code of the failure. Empty: nobody knows.
   */
  outcomes: Outcome[]
}

export type Outcome = { word: string; count: number }

/** Steps as rows, from nothing but the events of a conversation: as they happen, or from its log. */
export interface StepRows {
  /** Takes the next event; returns the row that is complete with it. */
  event(event: DurableEvent): StepRow | null
  /** All rows so far, the one that is not complete too. */
  rows(): StepRow[]
}

/**
 * @example
 * const steps = stepRows()
 * for (const event of events) steps.event(event)
 * steps.rows() // [{ type: "step", turn: 1, step: 1, outcomes: [{ word: "final answer", count: 1 }], … }]
 */
export function stepRows(): StepRows {
  const complete: StepRow[] = []
  const actions = new Map<string, ProposedAction>()
  let open: OpenRow | null = null

  function close(): StepRow | null {
    const row = open && rowOf(open)
    open = null
    actions.clear()
    if (row !== null) complete.push(row)
    return row
  }

  return {
    rows: () => (open === null ? [...complete] : [...complete, rowOf(open)]),

    event(event) {
      switch (event.type) {
        case "step_started":
        case "compaction_started": {
          const closed = close()
          open = begunBy(event)
          return closed
        }
        case "turn_ended":
          if (open !== null) endTurn(open, event)
          return close()
        case "conversation_closed":
        case "conversation_resumed":
          return close()
        case "action_proposed":
          if (open !== null) propose(open, event, actions)
          return null
        case "request_answered":
        case "request_opened":
          answer(event, actions)
          return null
        case "action_ended": {
          const action = actions.get(event.action_id)
          if (open !== null && action !== undefined) {
            open.words[action.place] = wordOfAction(action, event)
          }
          return null
        }
        default:
          if (open !== null) extend(open, event)
          return null
      }
    },
  }
}

type OpenRow = Omit<StepRow, "outcomes" | "durationMs"> & {
  startedMs: number
  endedMs: number
  /** One for each action, refused call and program with something to tell; null: it has not ended. */
  words: (string | null)[]
  /** Calls that came to an action or a program: their results have nothing to add. */
  carriedOut: Set<string>
}

type ProposedAction = {
  place: number
  approved: boolean
  edited: boolean
  executes: boolean
  request: string | null
}

type Of<Type extends DurableEvent["type"]> = Extract<DurableEvent, { type: Type }>

function begunBy(event: Of<"step_started" | "compaction_started">): OpenRow {
  const startedMs = Date.parse(event.at)
  return {
    type: event.type === "step_started" ? "step" : "compaction",
    turn: event.turn,
    step: event.step,
    model: event.model,
    usage: unknownUsage,
    cost: null,
    lostTries: 0,
    startedMs,
    endedMs: startedMs,
    modelMs: null,
    firstTokenMs: null,
    overheadMs: null,
    actions: 0,
    words: [],
    carriedOut: new Set(),
  }
}

const unknownUsage: Usage = {
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

const noUsage: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
}

/** Verification and undo are the user's own: no call proposed them. */
function propose(
  open: OpenRow,
  event: Of<"action_proposed">,
  actions: Map<string, ProposedAction>,
): void {
  if (!("call_id" in event.origin)) return
  const changes = event.effect !== "read" && event.effect !== "observe"
  actions.set(event.action_id, {
    place: open.words.length,
    // In this mode nothing that changes is allowed but by the approval of its program.
    approved: event.verdict === "allow" && event.rule === "mode:programs" && changes,
    edited: false,
    executes: isExecution(event),
    request: null,
  })
  open.words.push(null)
  open.actions += 1
  open.carriedOut.add(event.origin.call_id)
}

function answer(
  event: Of<"request_opened" | "request_answered">,
  actions: ReadonlyMap<string, ProposedAction>,
): void {
  if (event.type === "request_opened") {
    const { subject } = event
    const action = subject.type === "action" ? actions.get(subject.action_id) : undefined
    if (action !== undefined) action.request = event.request
    return
  }
  for (const action of actions.values()) {
    if (action.request !== event.request) continue
    action.approved = event.decision === "approve"
    action.edited = event.input !== undefined
  }
}

function extend(open: OpenRow, event: DurableEvent): void {
  switch (event.type) {
    case "step_ended": {
      open.usage = event.usage
      open.cost = event.cost
      open.lostTries = event.unanswered ?? 0
      open.modelMs = event.duration_ms
      open.firstTokenMs = event.first_token_ms
      open.overheadMs = event.overhead_ms ?? null
      if (!event.message.content.some(({ type }) => type === "call")) {
        const isAnswer = event.finish === "stop" || event.finish === "tool_calls"
        open.words.push(isAnswer ? "final answer" : event.finish)
      }
      break
    }
    case "step_failed":
      open.lostTries = event.unanswered ?? 0
      if (open.lostTries === 0) {
        open.usage = noUsage
        open.cost = 0
      }
      open.modelMs = event.duration_ms ?? null
      open.overheadMs = event.overhead_ms ?? null
      open.words.push(event.failure.code)
      break
    case "compaction_ended":
      open.usage = event.usage
      open.cost = event.cost
      open.modelMs = event.duration_ms
      open.words.push(event.status === "compacted" ? "compacted" : "compaction failed")
      break
    case "program_ended": {
      const word = wordOfProgram(event, open.actions)
      if (word !== null) open.words.push(word)
      return
    }
    case "program_started":
      open.carriedOut.add(event.call_id)
      return
    case "results":
      for (const { call_id, status } of event.message.content) {
        if (!open.carriedOut.has(call_id)) open.words.push(codeOf(status))
      }
      break
    default:
      return
  }
  open.endedMs = Date.parse(event.at)
}

function endTurn(open: OpenRow, { ending, overhead_ms: afterMs }: Of<"turn_ended">): void {
  if (afterMs !== undefined) open.overheadMs = tenths((open.overheadMs ?? 0) + afterMs)
  if (open.words.length > 0) return
  open.words.push(ending.status === "limit_reached" ? ending.limit : ending.status)
}

function rowOf({ words, carriedOut: _, startedMs, endedMs, ...row }: OpenRow): StepRow {
  return { ...row, durationMs: endedMs - startedMs, outcomes: grouped(words) }
}

function grouped(words: readonly (string | null)[]): Outcome[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word ?? "unknown", (counts.get(word ?? "unknown") ?? 0) + 1)
  return [...counts].map(([word, count]) => ({ word, count }))
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
