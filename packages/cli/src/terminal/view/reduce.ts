import type { ConversationEvent } from "@harness/protocol"
import { ended, left, printed, proposed, started } from "./actions.ts"
import { noticed, opened, settingsChanged } from "./conversation.ts"
import { programEnded, programPrinted, programStarted } from "./programs.ts"
import { answered, asked, previewed } from "./requests.ts"
import {
  called,
  compacted,
  compacting,
  said,
  stepEnded,
  stepFailed,
  stepStarted,
  thought,
  waiting,
} from "./steps.ts"
import { messaged, turnEnded, turnStarted, verified } from "./turns.ts"
import type { FaceEvent, View } from "./view.ts"

/**
 * The view after an event: what to print, what happens now, what waits, what it came to so far. Pure;
 * events of before, as `show` gives them, make the same view as those that happen.
 *
 * @param atMs when the event reached the face, by the face's own clock
 */
export function reduce(view: View, event: ConversationEvent | FaceEvent, atMs: number): View {
  switch (event.type) {
    case "conversation_started":
    case "conversation_resumed":
      return opened(view, event)
    case "settings_changed":
      return settingsChanged(view, event)
    case "conversation_renamed":
      return noticed(view, { level: "muted", text: `this conversation is now "${event.title}"` })
    case "notice":
      return noticed(view, {
        level: event.code === "provider" ? "plain" : "muted",
        text: event.message,
      })
    case "turn_started":
      return turnStarted(view, event, atMs)
    case "user_message":
      return messaged(view, event)
    case "turn_ended":
      return turnEnded(view, event)
    case "verification_ended":
      return verified(view, event)
    case "step_started":
      return stepStarted(view, event, atMs)
    case "text_delta":
      return said(view, event.text, atMs)
    case "reasoning_delta":
      return thought(view, event.text, atMs)
    case "call_delta":
      return called(view, event, atMs)
    case "model_waiting":
      return waiting(view, event, atMs)
    case "step_ended":
      return stepEnded(view, event)
    case "step_failed":
      return stepFailed(view, event)
    case "compaction_started":
      return compacting(view, atMs)
    case "compaction_ended":
      return compacted(view, event, atMs)
    case "program_started":
      return programStarted(view, event, atMs)
    case "program_output":
      return programPrinted(view, event)
    case "program_ended":
      return programEnded(view, event)
    case "action_proposed":
      return proposed(view, event, atMs)
    case "action_started":
      return started(view, event, atMs)
    case "action_output":
      return printed(view, event)
    case "action_ended":
      return ended(view, event, atMs)
    case "process_ended":
      return left(view, event)
    case "request_opened":
      return asked(view, event)
    case "request_preview":
      return previewed(view, event)
    case "request_answered":
      return answered(view, event)
    case "print":
      return { ...view, fresh: [...view.fresh, ...event.items] }
    case "printed":
      return { ...view, fresh: view.fresh.slice(event.count) }
    case "queued":
      return { ...view, queued: [...view.queued, event.message] }
    case "unqueued":
      return { ...view, queued: [] }
    case "window": {
      const context = { ...view.status.context, window: event.tokens }
      return { ...view, status: { ...view.status, context } }
    }
    default:
      return view
  }
}
