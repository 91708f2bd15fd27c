import { setImmediate as nextTurn } from "node:timers/promises"
import { render } from "ink-testing-library"
import { createElement } from "react"
import { expect, onTestFinished, vi } from "vitest"
import type { GateAnswer } from "../../../src/terminal/contracts.ts"
import { Gate } from "../../../src/terminal/gate/gate.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"
import type { HistoryItem } from "../../../src/terminal/view/view.ts"
import type { Recorded } from "../../support/recorded.ts"
import { viewOf } from "./view-events.ts"

type Opened = Omit<Extract<Recorded, { type: "request_opened" }>, "type" | "request">

/** The gate over a request that came after `events`, in a terminal of which it has so many rows. */
export async function gateOver(
  opened: Opened,
  {
    events = [],
    columns = 60,
    rows = 20,
    behind = 0,
    env = { NO_COLOR: "1" },
    settled = true,
    takes = true,
  }: {
    events?: readonly Recorded[]
    columns?: number
    rows?: number
    behind?: number
    env?: Record<string, string>
    /** False: the request has just come. */
    settled?: boolean
    /** False: what is answered is refused. */
    takes?: boolean
  } = {},
) {
  const view = viewOf([...events, { type: "request_opened", request: "r1", ...opened }])
  const request = view.requests[0]
  if (request === undefined) throw new Error("no request waits")

  const answers: GateAnswer[] = []
  const printed: HistoryItem[] = []
  let atMs = 10_000
  const { lastFrame, stdin, stdout, unmount } = render(
    createElement(Gate, {
      request,
      behind,
      columns,
      rows,
      env,
      theme: themeFor(env, true),
      now: () => atMs,
      print: (...items) => void printed.push(...items),
      suspend: run => run(),
      onAnswer: async answer => {
        answers.push(answer)
        return takes
      },
    }),
  )
  onTestFinished(unmount)
  await nextTurn()
  if (settled) atMs += 1_000

  return {
    answers,
    /** The lines that were printed for good. */
    printed: () => printed.flatMap(item => (item.type === "lines" ? item.lines : [])),
    frame: () => lastFrame() ?? "",
    /** The keys, one after another. */
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        stdin.write(key)
        await nextTurn()
        // A lone Esc could be the beginning of another key.
        if (key === esc) await untilTold()
      }
    },
    /** Resolves when it shows the text. */
    until: (text: string) => vi.waitFor(() => expect(lastFrame()).toContain(text), waiting),
    pass: (ms: number) => {
      atMs += ms
    },
    written: () => stdout.frames,
  }

  async function untilTold(): Promise<void> {
    const before = { frame: lastFrame(), answers: answers.length }
    for (let turn = 0; turn < 200; turn += 1) {
      if (lastFrame() !== before.frame || answers.length !== before.answers) return
      await new Promise(resolve => setTimeout(resolve, 1))
    }
  }
}

/** Against a hang. */
const waiting = { timeout: 30_000, interval: 2 }

export const esc = "\u001b"
export const down = "\u001b[B"
export const up = "\u001b[A"
export const pageDown = "\u001b[6~"
