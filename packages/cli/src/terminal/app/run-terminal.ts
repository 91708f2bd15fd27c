import { setTimeout as delay } from "node:timers/promises"
import type { Kernel } from "@harness/kernel"
import type { Invocation } from "../../invocation.ts"
import type { OpenedConversation, TerminalEnd } from "../contracts.ts"
import { themeFor } from "../render/theme.ts"
import type { HistoryItem } from "../view/view.ts"
import { watchLeaving } from "./leaving.ts"
import { loadApp } from "./load-app.ts"
import { createScreen, type Screen } from "./screen.ts"
import { createSession } from "./session.ts"
import { createStore } from "./store.ts"

/**
 * Shows an open conversation in the terminal until the person leaves it, or it is lost; then the
 * conversation is closed. The terminal is as it was before.
 */
export async function runTerminal(
  kernel: Kernel,
  opened: OpenedConversation,
  invocation: Invocation,
): Promise<TerminalEnd> {
  const { conversation } = opened
  const { env } = invocation
  const streams = invocation.screen()
  const now = () => performance.now()
  const parts = await loadApp()
  const ended = Promise.withResolvers<TerminalEnd>()

  const store = createStore({ conversation, now, changed: () => screen.request() })
  const session = createSession({
    kernel,
    conversation,
    store,
    now,
    giveBack: text => screen.giveBack(text),
    end: ended.resolve,
  })
  const theme = themeFor(env, streams.stdout.isTTY)
  const screen = createScreen({ parts, kernel, store, session, theme, env, streams, now })

  for (const event of opened.past) store.tell(event)
  for (const told of opened.told) if (told.conversation === conversation) store.tell(told.event)
  const unsubscribe = kernel.subscribe(told => {
    if (told.conversation === conversation) store.tell(told.event)
  })
  const leaving = watchLeaving(invocation, streams, ended.resolve)
  if (opened.contextTokens !== undefined) {
    store.tell({ type: "window", tokens: opened.contextTokens })
  }

  try {
    screen.open(ended.reject)
    if (opened.message !== undefined) session.submit(opened.message, [])
    const end = await ended.promise
    if (end.type === "left") session.print(farewell(conversation))
    return end
  } finally {
    giveBack(screen)
    const closed = kernel.dispatch({ type: "close", conversation })
    await Promise.race([closed, delay(closeMs, undefined, { ref: false })])
    unsubscribe()
    leaving.stop()
  }
}

function farewell(conversation: string): HistoryItem {
  const text = `conversation ${conversation} is resumable: harness --resume ${conversation}`
  return { type: "notice", level: "muted", text }
}

/** A terminal that is gone takes nothing back. */
function giveBack(screen: Screen): void {
  try {
    screen.close()
  } catch {}
}

/** What runs is given so long to end; the reaper ends the rest. */
const closeMs = 5_000
