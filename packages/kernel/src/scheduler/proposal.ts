import type {
  ActionOutcome,
  ActionReceipt,
  ActionStatus,
  ImagePart,
  JsonObject,
  Origin,
} from "@harness/protocol"
import type { AnyAction, PersonClock } from "@harness/sdk"

/** An action that something proposes: a tool call, a line of a program, `--verify`. */
export type Proposal = {
  origin: Origin
  turn: number
  step: number
  action: string
  input: JsonObject
  programApproved: boolean
  signal: AbortSignal
  /** Images that its result may still show; without it as many as any result may. */
  imagesLeft?: number
  /** Stopped while a person is waited for. */
  clock?: PersonClock
}

/** How a proposal ended. `invalid`: its arguments do not fit, and nothing was proposed. */
export type Performed =
  | { status: "invalid"; message: string }
  | {
      status: ActionStatus
      actionId: string
      action: AnyAction
      /** What ran, or would have. */
      input: JsonObject
      /** What a person wrote of it, null when nothing: the model is told with the result. */
      ran: JsonObject | null
      result: JsonObject
      outcome: ActionOutcome
      /** Evidence had no room: the turn has reached its limit. */
      exhausted: boolean
      receipt: ActionReceipt
      /** Shown to the model with the result. */
      images: readonly ImagePart[]
    }
