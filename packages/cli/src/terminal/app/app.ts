import { Box, Text, useApp, useInput, useWindowSize } from "ink"
import { createElement as h, type ReactElement, useEffect, useRef, useState } from "react"
import type { Invocation } from "../../invocation.ts"
import type { SlashCommand, Suspend, TerminalCommands, Theme } from "../contracts.ts"
import { Gate } from "../gate/gate.ts"
import { Editor } from "../input/editor.ts"
import { liveLines } from "../view/live-lines.ts"
import { statusLine } from "../view/status-line.ts"
import type { View } from "../view/view.ts"
import type { Session } from "./session.ts"

export type AppProps = {
  view: View
  theme: Theme
  session: Session
  commands: readonly SlashCommand[]
  /** What a slash command gets, but what only the app knows. */
  terminal: Omit<TerminalCommands, "columns" | "suspend">
  env: Invocation["env"]
  /** Earlier messages of the conversation. */
  history: readonly string[]
  /** Those of the project's other conversations. */
  earlier: () => Promise<readonly string[]>
  given: { id: number; text: string } | undefined
  paths: (letters: string) => Promise<readonly string[]>
  now: () => number
  /** Ctrl-Z, when the terminal was given back: stops the process until somebody lets it go on. */
  stop: () => Promise<void>
  /** Draws nothing while another program has the terminal. */
  away: Suspend
}

/** Ctrl-C so soon after another one leaves. */
const twiceMs = 1_000

/** The live part is kept small: what is whole stands above it for good. */
const mostLiveRows = 15

/** What is redrawn, at the bottom of the terminal: it is always lower than the screen. */
export function App(props: AppProps): ReactElement {
  const { view, theme, session, env, now } = props
  const { columns, rows } = useWindowSize()
  const { suspendTerminal } = useApp()
  const [hint, setHint] = useState("")
  const cancelledAtMs = useRef(Number.NEGATIVE_INFINITY)
  const openedCalls = useRef({ newest: "", count: 0 })
  const suspend: Suspend = run => props.away(() => suspendTerminal(run))

  const look = { columns, theme }
  const [request] = view.requests
  const below = request ? Math.max(4, rows - 6) : Math.max(3, Math.floor(rows / 3))
  const liveRows = Math.max(1, Math.min(mostLiveRows, rows - below - 3))

  const cancel = () => {
    if (!session.interrupt()) setHint("Ctrl-C again leaves")
  }
  useEffect(() => {
    if (hint === "") return
    const timer = setTimeout(() => setHint(""), twiceMs)
    return () => clearTimeout(timer)
  }, [hint])

  useInput((input, key) => {
    if (!key.ctrl) return
    if (input === "c") {
      const isSecond = now() - cancelledAtMs.current < twiceMs
      cancelledAtMs.current = now()
      if (isSecond) session.end({ type: "left", exit: { code: 0 } })
      else if (request) cancel()
    } else if (input === "z") session.attempt(() => suspend(props.stop))
    else if (input === "o") openCall(view, session, openedCalls.current)
  })

  const live = liveLines(view, look, { rows: liveRows, nowMs: now() })
  const { gate, status } = {
    gate:
      request &&
      h(Gate, {
        ...look,
        key: request.request,
        request,
        behind: view.requests.length - 1,
        rows: below,
        env,
        now,
        suspend,
        print: session.print,
        onAnswer: answer => session.answer(request.request, answer),
      }),
    status: hint === "" ? statusLine(view.status, look) : theme.warning(hint),
  }

  return h(
    Box,
    { flexDirection: "column" },
    ...live.map((line, index) =>
      h(Text, { key: `live ${index}`, wrap: "truncate" }, line === "" ? " " : line),
    ),
    // Not taken away while a request waits: what was typed stays.
    h(Box, { key: "editor", display: request ? "none" : "flex", flexDirection: "column" }, [
      h(Editor, {
        ...look,
        key: "line",
        active: request === undefined,
        rows: below,
        top: live.length,
        placeholder: placeholderOf(view),
        history: props.history,
        earlier: props.earlier,
        commands: props.commands,
        paths: props.paths,
        complete: async name => {
          const command = props.commands.find(each => each.name === name)
          return (await command?.complete?.({ ...props.terminal, columns, suspend })) ?? []
        },
        env,
        given: props.given,
        suspend,
        onSubmit: session.submit,
        onCommand: (name, rest) => runCommand(name, rest, { ...props, columns, suspend }),
        onShell: command => runShell(command, props),
        onEscape: session.escape,
        onCancel: cancel,
        onNotice: text => session.print({ type: "notice", level: "warning", text }),
      }),
    ]),
    gate,
    h(Text, { key: "status", wrap: "truncate" }, status),
  )
}

function placeholderOf({ live, status }: View): string {
  if (live.phase.type !== "idle") return "type on: it is delivered at the next step"
  return status.turn === 0 ? "what shall be done? /help, @file, !command" : ""
}

/** The newest call first; the key again opens the one before it. */
function openCall(
  { ended }: View,
  session: Session,
  opened: { newest: string; count: number },
): void {
  const newest = ended.at(-1)?.actionId ?? ""
  opened.count = opened.newest === newest ? opened.count + 1 : 1
  opened.newest = newest
  const call = ended.at(-opened.count)
  if (call !== undefined) session.print({ type: "details", call })
}

function runCommand(
  name: string,
  rest: string,
  {
    commands,
    terminal,
    session,
    columns,
    suspend,
  }: AppProps & { columns: number; suspend: Suspend },
): void {
  const command = commands.find(each => each.name === name)
  if (command === undefined) {
    const text = `there is no command /${name}: /help lists them`
    session.print({ type: "notice", level: "warning", text })
    return
  }
  session.attempt(() => command.run(rest, { ...terminal, columns, suspend }))
}

/** The person's own command: on the path of every other, with its line when it has ended. */
function runShell(command: string, { terminal, session }: AppProps): void {
  const { kernel, conversation } = terminal
  session.attempt(async () => {
    const answer = await kernel.dispatch({ type: "command", conversation, command })
    if (answer.type !== "failed") return
    const { code, message } = answer.failure
    session.print({ type: "notice", level: "bad", text: `error ${code}: ${message}` })
  })
}
