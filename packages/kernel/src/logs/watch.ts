import type { ConversationEvent, Failure, KernelCommand } from "@harness/protocol"
import type { LocalLog, LogEntry } from "./local-log.ts"

/**
 * What the kernel tells the local log: faults, and how a conversation ended that had one. What went
 * well is in its own log; a line for it would cost every run 30 ms to load the writer.
 */
export interface FaultWatch {
  event(conversation: string, event: ConversationEvent): void
  /** A command that failed; one that was called wrongly is the caller's own affair. */
  refused(command: KernelCommand["type"], failure: Failure): void
}

export function createFaultWatch(log: LocalLog): FaultWatch {
  const conversations = new Map<string, Summary>()
  const faulty = new Set<string>()

  function fault(conversation: string, entry: LogEntry): void {
    faulty.add(conversation)
    log.record({ ...entry, conversation })
  }

  return {
    event(conversation, event) {
      switch (event.type) {
        case "notice":
          if (!ordinary.has(event.code)) {
            const { code, message } = event
            fault(conversation, { level: "warn", event: code, message })
          }
          break
        case "action_ended":
          if (event.result.error === "worker_lost") {
            const { action, action_id } = event
            fault(conversation, { level: "error", event: "worker_lost", action, action_id })
          }
          break
        case "step_failed": {
          const { code, message } = event.failure
          if (code === "step_interrupted") break
          fault(conversation, { level: "error", event: "step_failed", code, message })
          break
        }
        case "turn_ended":
          conversations.set(conversation, summaryOf(event))
          break
        case "conversation_closed": {
          const summary = conversations.get(conversation) ?? noTurn
          conversations.delete(conversation)
          if (!faulty.delete(conversation)) break
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
