import type { Kernel } from "@harness/kernel"
import type { Instance } from "ink"
import type { Invocation, Screen as Streams } from "../../invocation.ts"
import { slashCommands } from "../commands/table.ts"
import type { Theme } from "../contracts.ts"
import { earlierMessages } from "../input/earlier.ts"
import { printedLines } from "../view/printed.ts"
import type { HistoryItem, View } from "../view/view.ts"
import { createFrames } from "./frames.ts"
import type { AppParts } from "./load-app.ts"
import type { Session } from "./session.ts"
import { stopProcess } from "./stop-process.ts"
import type { Store } from "./store.ts"

/** The terminal as it is drawn: lines that stay above, what changes below. */
export interface Screen {
  /** Something is to be drawn. */
  request(): void
  /** @param failed called when drawing failed: then nothing is drawn any more */
  open(failed: (error: unknown) => void): void
  giveBack(text: string): void
  /** Draws the last frame and gives the terminal back. */
  close(): void
}

/** Terminals that know it show a frame when it is whole. */
const synchronized = { begin: "\u001b[?2026h", end: "\u001b[?2026l" }

/** Durations are whole seconds. */
const tickMs = 1_000

/** Earlier messages that the line at the bottom offers. */
const keptMessages = 100

export function createScreen({
  parts: { App, createElement, render },
  kernel,
  store,
  session,
  theme,
  env,
  streams: { stdin, stdout },
  now,
}: {
  parts: AppParts
  kernel: Pick<Kernel, "dispatch">
  store: Store
  session: Session
  theme: Theme
  env: Invocation["env"]
  streams: Streams
  now: () => number
}): Screen {
  const frames = createFrames(draw, now)
  const commands = slashCommands()
  let instance: Instance | undefined
  let isAway = false
  let ticking: NodeJS.Timeout | undefined
  let last: HistoryItem | undefined
  let messages: readonly string[] = []
  let given: { id: number; text: string } | undefined

  function element(view: View) {
    const { conversation } = view.status
    return createElement(App, {
      view,
      theme,
      session,
      commands,
      terminal: {
        kernel,
        conversation,
        theme,
        view: store.view,
        steps: store.steps,
        print: session.print,
        send: text => session.submit(text, []),
        goTo: to => session.end({ type: "go_to", conversation: to }),
        leave: () => session.end({ type: "left", exit: { code: 0 } }),
      },
      env,
      history: messages,
      earlier: () => earlierMessages(kernel, { folder: store.view().status.folder, conversation }),
      given,
      paths: letters => pathsWith(letters, conversation),
      now,
      stop: stopProcess,
      away,
    })
  }

  async function pathsWith(letters: string, conversation: string): Promise<readonly string[]> {
    const answer = await kernel.dispatch({ type: "paths", conversation, letters, limit: 50 })
    return answer.type === "paths" ? answer.paths : []
  }

  /**
   * What is whole goes above the frame as it is, past Ink: to lay it out would cost forty times as
   * much, and a line that the terminal wraps itself can be copied and follows the window's width.
   */
  function draw(): void {
    if (instance === undefined || isAway) return
    const view = store.take()
    if (view.fresh.length === 0) {
      instance.rerender(element(view))
    } else {
      stdout.write(synchronized.begin)
      instance.clear()
      print(view)
      instance.rerender(element({ ...view, fresh: [] }))
      stdout.write(synchronized.end)
    }
    tick(view)
  }

  /** What happens meanwhile is drawn afterwards: another program has the terminal. */
  async function away(run: () => Promise<void>): Promise<void> {
    isAway = true
    try {
      await run()
    } finally {
      isAway = false
      frames.request()
    }
  }

  function print({ fresh }: View): void {
    const lines = printedLines(fresh, last, { columns: stdout.columns, theme })
    stdout.write(lines.map(line => `${line}\n`).join(""))
    last = fresh.at(-1) ?? last
    const texts = fresh.flatMap(item => (item.type === "user" ? [item.text] : []))
    if (texts.length > 0) messages = [...messages, ...texts].slice(-keptMessages)
  }

  /** Only while something takes time. */
  function tick({ live }: View): void {
    const isBusy = live.phase.type !== "idle" && !theme.screenReader
    if (isBusy) ticking ??= setInterval(frames.request, tickMs)
    else stopTicking()
  }

  function stopTicking(): void {
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    request: frames.request,

    open(failed) {
      // Before the first frame: one at the very top that is erased, some terminals keep in the scrollback.
      const view = store.take()
      print(view)
      instance = render(element({ ...view, fresh: [] }), {
        stdin,
        stdout,
        exitOnCtrlC: false,
        // Frames are counted here; what a person types is drawn at once.
        maxFps: 1_000,
        isScreenReaderEnabled: theme.screenReader,
        interactive: true,
      })
      instance.waitUntilExit().catch(failed)
      tick(view)
    },

    giveBack(text) {
      given = { id: (given?.id ?? 0) + 1, text }
      frames.request()
    },

    close() {
      draw()
      frames.stop()
      stopTicking()
      instance?.clear()
      instance?.unmount()
    },
  }
}
