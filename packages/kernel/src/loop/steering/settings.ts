import type { ApproveMode, ConversationState, EventBody, Style } from "@harness/protocol"
import type { Budget } from "../../budget/budget.ts"
import type { Model } from "../../provider/resolve.ts"
import { changedDefinitions } from "../../resume/definitions.ts"
import type { Recorder } from "../recorder.ts"
import type { WorkingStyle } from "../styles/style.ts"
import type { Working } from "../turn.ts"

/** What the user may choose otherwise while a conversation is open; what is absent stays. */
export type Chosen = {
  model?: string | undefined
  style?: Style | undefined
  approve?: ApproveMode | undefined
}

/** What a conversation works with, and what its user has chosen for the next step. */
export interface LiveSettings {
  /** What is in force. */
  readonly working: Working
  /** Puts in force what was chosen, and on record; texts that the model must be told of it. */
  apply(): string[]
  /**
   * Chooses, for when it is applied. Everything is found before anything is chosen: what fails, like
   * a model without a key, changes nothing. Throws what `resolveModel` and a style throw, `price_unknown`.
   */
  choose(chosen: Chosen): Promise<void>
  /** With what was chosen, applied or not. */
  state(): ConversationState
  /** Ends what the styles have started. */
  dispose(): Promise<void>
}

export type SettingsParts = {
  first: { model: Model; style: Style; approve: ApproveMode; working: WorkingStyle }
  resolve: (model: string) => Promise<Model>
  /** Throws when the conversation cannot work so. */
  styleOf: (style: Style) => Promise<WorkingStyle>
  /** Called when model or style are others: makes what depends on them. */
  workingWith: (model: Model, style: WorkingStyle) => Working
  /** Throws `price_unknown`. */
  assertPriced: (model: Model) => void
  approveBy: (mode: ApproveMode) => void
  budget: Pick<Budget, "use" | "spent">
  recorder: Pick<Recorder, "recordAll">
}

type InForce = { model: Model; style: Style; approve: ApproveMode }

export function liveSettings(parts: SettingsParts): LiveSettings {
  const { first, budget } = parts
  let { model, style, approve }: InForce = first
  let working = parts.workingWith(model, first.working)
  let chosen: Partial<InForce> = {}
  let choosing: Promise<unknown> = Promise.resolve()
  // One of each kind: variables of programs are there still when the user comes back to them.
  const styles = new Map<Style, Promise<WorkingStyle>>([[style, Promise.resolve(first.working)]])
  const ready = new Map<Style, WorkingStyle>([[style, first.working]])

  async function styleNamed(name: Style): Promise<void> {
    const made = styles.get(name) ?? parts.styleOf(name)
    styles.set(name, made)
    made.catch(() => styles.delete(name))
    ready.set(name, await made)
  }

  async function find(wanted: Chosen): Promise<void> {
    const found = wanted.model === undefined ? undefined : await parts.resolve(wanted.model)
    if (found !== undefined) parts.assertPriced(found)
    if (wanted.style !== undefined) await styleNamed(wanted.style)
    chosen = {
      ...chosen,
      ...(found !== undefined && { model: found }),
      ...(wanted.style !== undefined && { style: wanted.style }),
      ...(wanted.approve !== undefined && { approve: wanted.approve }),
    }
  }

  return {
    get working() {
      return working
    },

    apply() {
      const next = { model, style, approve, ...chosen }
      const nextStyle = ready.get(next.style) ?? working.style
      const isOther = next.model.id !== model.id || next.style !== style
      const changed = changesIn({ model, style, approve }, next)
      if (changed === null) {
        chosen = {}
        return []
      }
      const definitions = changedDefinitions(working.style, nextStyle)
      const notices = next.model === model ? [] : next.model.notices
      parts.recorder.recordAll(
        [
          changed,
          ...(definitions === null ? [] : [definitions]),
          ...notices.map(message => ({ type: "notice" as const, code: "provider", message })),
        ],
        { sync: false },
      )
      chosen = {}
      ;({ model, style, approve } = next)
      parts.approveBy(approve)
      if (isOther) {
        budget.use(budgetModel(model, nextStyle))
        working = parts.workingWith(model, nextStyle)
      }
      return definitions === null ? [] : [definitions.announced]
    },

    async choose(wanted) {
      const found = choosing.then(() => find(wanted))
      choosing = found.catch(() => {})
      await found
    },

    state() {
      const next = { model, style, approve, ...chosen }
      return {
        model: next.model.id,
        style: next.style,
        approve: next.approve,
        context_tokens: next.model.contextTokens ?? null,
        spent: budget.spent(),
      }
    },

    async dispose() {
      const made = await Promise.allSettled(styles.values())
      await Promise.all(made.map(async each => each.status === "fulfilled" && each.value.dispose()))
    },
  }
}

/** What a budget must know of requests: the model, and what goes with each of them. */
export function budgetModel(model: Model, { instructions, tools }: WorkingStyle) {
  const fixedBytes = Buffer.byteLength(instructions) + Buffer.byteLength(JSON.stringify(tools))
  return { id: model.id, price: model.price, outputTokens: model.outputTokens, fixedBytes }
}

function changesIn(
  now: InForce,
  next: InForce,
): Extract<EventBody, { type: "settings_changed" }> | null {
  const { model, style, approve } = next
  const isOtherModel = model.id !== now.model.id
  if (!isOtherModel && style === now.style && approve === now.approve) return null
  return {
    type: "settings_changed",
    ...(isOtherModel && { model: model.id, context_tokens: model.contextTokens ?? null }),
    ...(style !== now.style && { style }),
    ...(approve !== now.approve && { approve }),
  }
}
