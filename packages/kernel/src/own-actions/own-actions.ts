import type { ActionStatus, JsonObject } from "@harness/protocol"
import type { KindDefinition, PersonClock } from "@harness/sdk"
import type { Requests } from "../policy/requests.ts"
import { askPersonAction, askPersonTool, putQuestion } from "./ask-person.ts"

/** What an action of the kernel's own is carried out for. */
export type OwnProposal = { actionId: string; signal: AbortSignal; clock?: PersonClock | undefined }

export type OwnEnd = { status: ActionStatus; result: JsonObject }

/** Actions that no environment has: the kernel carries them out itself, on the path of every other. */
export interface OwnActions {
  /** Null for an action of the kind. Never rejects for what a person says. */
  carryOut(name: string, input: JsonObject, proposal: OwnProposal): Promise<OwnEnd> | null
}

/** The kind with the kernel's own actions beside its own; an action of the kind's of that name stays. */
export function withOwnActions(kind: KindDefinition): KindDefinition {
  if (hasOwnName(kind)) return kind
  return {
    ...kind,
    actions: [...kind.actions, askPersonAction],
    ...(kind.tools && { tools: [...kind.tools, askPersonTool] }),
  }
}

export function ownActions(
  kind: KindDefinition,
  parts: { requests: Pick<Requests, "open">; approver: boolean },
): OwnActions {
  const isOurs = !hasOwnName(kind)
  return {
    carryOut(name, input, proposal) {
      if (!isOurs || name !== askPersonAction.name) return null
      return putQuestion(input, proposal, parts)
    },
  }
}

function hasOwnName({ actions }: KindDefinition): boolean {
  return actions.some(({ name }) => name === askPersonAction.name)
}
