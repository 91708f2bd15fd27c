import type { ConversationEvent, DurableEvent } from "@harness/protocol"
import { elapsed } from "../text/format.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { subjectOf } from "./action-line.ts"
import type { Page } from "./page.ts"

/**
 * While a command runs: how long already, and the last line that it printed. While older steps are
 * summarised: how long already. Terminals only.
 */
export interface LiveLine {
  event(event: ConversationEvent): void
  /** Nothing runs any more. */
  stop(): void
}

const REDRAW_MS = 200

type Running = { id: string; title: string; startedAtMs: number; lastLine: string; open: string }

export function liveLine(page: Page): LiveLine {
  const titles = new Map<string, string>()
  let running: Running | undefined
  let timer: NodeJS.Timeout | undefined

  const draw = () => {
    if (running === undefined) return
    const { title, startedAtMs, lastLine } = running
    const time = elapsed(performance.now() - startedAtMs)
    page.transient([title, time, lastLine].filter(part => part !== "").join(" · "))
  }
  const start = (id: string, title: string) => {
    running = { id, title, startedAtMs: performance.now(), lastLine: "", open: "" }
    timer ??= setInterval(draw, REDRAW_MS).unref()
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
    running = undefined
    page.transient("")
  }

  return {
    stop,
    event(event) {
      if (!page.showsTransient) return
      switch (event.type) {
        case "action_proposed":
          if (event.effect === "execute") titles.set(event.action_id, titleOf(event))
          break
        case "action_started": {
          const title = titles.get(event.action_id)
          if (title !== undefined) start(event.action_id, title)
          break
        }
        case "action_output":
          if (event.action_id === running?.id) take(running, event.text)
          break
        case "action_ended":
          titles.delete(event.action_id)
          if (event.action_id === running?.id) stop()
          break
        case "compaction_started":
          start(event.type, "summarising older steps")
          break
        case "compaction_ended":
          stop()
          break
      }
    },
  }
}

function titleOf({ action, input }: Extract<DurableEvent, { type: "action_proposed" }>): string {
  return oneLine(`${action} ${visible(subjectOf(input))}`)
}

/** Keeps the last line that is not empty; one that is not whole yet counts. */
function take(running: Running, text: string): void {
  const lines = (running.open + text).split(/[\r\n]/)
  running.open = (lines.at(-1) ?? "").slice(-1_000)
  const last = lines.findLast(line => line.trim() !== "")
  if (last !== undefined) running.lastLine = oneLine(visible(last.slice(-1_000)))
}
