import type { ConversationEvent, Failure, KernelCommand } from "@harness/protocol"
import type { LocalLog } from "./local-log.ts"

/** What the kernel tells the local log: faults, and one line for each conversation that ends. */
export interface FaultWatch {
  event(conversation: string, event: ConversationEvent): void
  /** A command that failed; one that was called wrongly is the caller's own affair. */
  refused(command: KernelCommand["type"], failure: Failure): void
}

export function createFaultWatch(log: LocalLog): FaultWatch {
  const conversations = new Map<string, Summary>()

  return {
    event(conversation, event) {
      switch (event.type) {
        case "notice":
          if (!ordinary.has(event.code)) {
            const { code, message } = event
            log.record({ level: "warn", event: code, conversation, message })
          }
          break
        case "action_ended":
          if (event.result.error === "worker_lost") {
            const { action, action_id } = event
            log.record({ level: "error", event: "worker_lost", conversation, action, action_id })
          }
          break
        case "step_failed": {
          const { code, message } = event.failure
          log.record({ level: "error", event: "step_failed", conversation, code, message })
          break
        }
        case "turn_ended":
          conversations.set(conversation, summaryOf(event))
          break
        case "conversation_closed": {
          const summary = conversations.get(conversation) ?? noTurn
          conversations.delete(conversation)
          log.record({ level: "info", event: "conversation_ended", conversation, ...summary })
          break
        }
      }
    },
    refused(command, { code, message, exit }) {
      if (exit === usage) return
      log.record({ level: "error", event: "command_failed", command, code, message })
    },
  }
}

/** Notices that tell of no fault. */
const ordinary = new Set(["provider", "project_ignored"])

/** The exit code of a wrong call. */
const usage = 2

type Summary = { turns: number; ending: string; code?: string; verification?: string }

const noTurn: Summary = { turns: 0, ending: "none" }

function summaryOf({ turn, ending, verification }: TurnEnded): Summary {
  const summary = { turns: turn, ending: ending.status, verification }
  if (ending.status === "limit_reached") return { ...summary, code: ending.limit }
  return ending.status === "failed" ? { ...summary, code: ending.failure.code } : summary
}

type TurnEnded = Extract<ConversationEvent, { type: "turn_ended" }>
