import { setImmediate as nextTurn } from "node:timers/promises"
import { render } from "ink-testing-library"
import { createElement } from "react"
import { expect, onTestFinished, test, vi } from "vitest"
import { App, type AppProps } from "../../../src/terminal/app/app.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"
import type { Recorded } from "../../support/recorded.ts"
import { recorded } from "../../support/recorded.ts"
import { talk } from "../support/talk.ts"
import { begun, call, ended, proposed, replied } from "../support/view-events.ts"

const ctrlC = "\u0003"
const ctrlO = "\u000f"
const esc = "\u001b"

/** The part of the terminal that is redrawn, over a conversation in which that happened. */
async function appOver(events: readonly Recorded[]) {
  const parts = talk()
  const { session, store, dispatch, now } = parts
  for (const event of recorded(events)) store.tell(event)
  const theme = themeFor({ NO_COLOR: "1" }, true)

  const element = () => {
    const props: AppProps = {
      view: store.view(),
      theme,
      session,
      commands: [],
      terminal: {
        kernel: { dispatch },
        conversation: "0123456789ab",
        theme,
        view: store.view,
        steps: store.steps,
        print: session.print,
        send: text => session.submit(text, []),
        goTo: () => {},
        leave: () => {},
      },
      env: {},
      history: [],
      earlier: async () => [],
      given: undefined,
      paths: async () => [],
      now,
      stop: async () => {},
      away: run => run(),
    }
    return createElement(App, props)
  }
  const { lastFrame, stdin, rerender, unmount } = render(element())
  onTestFinished(unmount)
  await nextTurn()

  return {
    ...parts,
    frame: () => lastFrame() ?? "",
    tell: (more: readonly Recorded[]) => {
      for (const event of recorded(more)) store.tell(event)
      rerender(element())
    },
    type: async (keys: string) => {
      stdin.write(keys)
      await nextTurn()
    },
  }
}

const testCall = [replied([call("c1", "bash", { command: "npm test" })]), proposed({})]

test("shows what runs, the line to type in, and the status", async () => {
  const { frame } = await appOver([...begun, ...testCall])
  const lines = frame().split("\n")
  expect(lines[0]).toBe("• bash npm test")
  expect(lines.at(-1)).toBe(
    "m · tools · none · sandbox off · 1.05k tokens · 1k in 50 out · $0.5000",
  )
})

test("Ctrl-C with nothing to clear or interrupt says what another one does, and another one leaves", async () => {
  const { frame, type, ends, later } = await appOver([])
  await type(ctrlC)
  await vi.waitFor(() => expect(frame()).toContain("Ctrl-C again leaves"))
  expect(ends).toEqual([])

  later(200)
  await type(ctrlC)
  expect(ends).toEqual([{ type: "left", exit: { code: 0 } }])
})

test("Ctrl-C long after another one does not leave", async () => {
  const { type, ends, later } = await appOver([])
  await type(ctrlC)
  later(5_000)
  await type(ctrlC)
  expect(ends).toEqual([])
})

test("Esc interrupts the step that runs", async () => {
  const { type, asked, session } = await appOver(begun)
  session.submit("go", [])
  await type(esc)
  await vi.waitFor(() => expect(asked.at(-1)).toMatchObject({ type: "interrupt", scope: "step" }))
})

test("Ctrl-O opens the newest call, and again the one before it", async () => {
  const second = ended({ action_id: "a2", summary: "write b.ts · created" })
  const { type, store } = await appOver([
    ...begun,
    ...testCall,
    ended({}),
    proposed({ action_id: "a2", action: "write_file", effect: "write", input: { path: "b.ts" } }),
    second,
  ])
  store.take()
  await type(ctrlO)
  await type(ctrlO)

  const opened = store.view().fresh.map(item => item.type === "details" && item.call.actionId)
  expect(opened).toEqual(["a2", "a1"])
})

test("what was typed is there again when a request that came meanwhile is answered", async () => {
  const { frame, type, tell } = await appOver(begun)
  await type("half a th")
  await vi.waitFor(() => expect(frame()).toContain("half a th"))

  tell([
    {
      type: "request_opened",
      request: "r1",
      subject: { type: "action", action_id: "a1" },
      title: "run_command",
      preview: { format: "command", text: "npm test" },
    },
  ])
  await vi.waitFor(() => expect(frame()).not.toContain("half a th"))
  tell([{ type: "request_answered", request: "r1", decision: "approve", by: "user" }])
  await vi.waitFor(() => expect(frame()).toContain("half a th"))
})
