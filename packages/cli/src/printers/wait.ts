import type { ConversationEvent } from "@harness/protocol"
import { elapsed } from "../text/format.ts"
import type { Paint } from "../text/paint.ts"
import { visible } from "../text/visible.ts"
import type { Page } from "./page.ts"

/** A wait before a model is asked again: a line that stays, and on a terminal what is left of it. */
export interface WaitLine {
  event(event: ConversationEvent): void
  /** Nothing is waited for any more. */
  stop(): void
}

const REDRAW_MS = 200

export function waitLine(page: Page, paint: Paint): WaitLine {
  let timer: NodeJS.Timeout | undefined

  const stop = () => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    page.transient("")
  }
  const countDown = (ms: number) => {
    const endMs = performance.now() + ms
    const draw = () => {
      const seconds = Math.ceil(Math.max(0, endMs - performance.now()) / 1_000)
      page.transient(`asking again in ${seconds} s`)
    }
    timer = setInterval(draw, REDRAW_MS).unref()
    draw()
  }

  return {
    stop,
    event(event) {
      stop()
      if (event.type !== "model_waiting") return
      page.lines(paint.dim(visible(`waiting ${elapsed(event.ms)}: ${event.reason}`)))
      if (page.showsTransient) countDown(event.ms)
    },
  }
}
