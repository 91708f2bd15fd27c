import type { EditorProps } from "../contracts.ts"
import {
  commandsFor,
  completed,
  isTyped,
  type Menu,
  matching,
  menuOf,
  movedIn,
  sameWanted,
  type Wanted,
  wantedAt,
} from "./completion.ts"
import { droppedFiles, readDropped } from "./dropped.ts"
import { type Edit, type Effect, edit } from "./edit.ts"
import type { LineKey } from "./keys.ts"
import { imagesIn, type Piece, wholeText } from "./pieces.ts"
import { changed, type EditorState, emptyState, inserted, withPiece, withText } from "./state.ts"

/** What is being typed, its menu, and where it goes when it is sent. */
export interface Composition {
  /** What it works with from now on; once for each frame. */
  use(props: EditorProps, columns: number): void
  press(key: LineKey): void
  paste(text: string): void
  /** A text that comes back, before what was typed since. */
  give(text: string): void
  shown(): { state: EditorState; menu: Menu | null }
}

/** Earlier lines of this terminal, those that were no message included. */
const keptLines = 200

/** @param redraw called when something is to be seen */
export function createComposition(redraw: () => void): Composition {
  let state = emptyState
  let menu: Menu | null = null
  /** The place at which a person closed a menu: none opens there again. */
  let closedAt: number | null = null
  let entered: string[] = []
  let earlier: readonly string[] | "unknown" | "asked" = "unknown"
  /** What the argument that is typed may be. */
  let argument: { command: string; choices: ReturnType<EditorProps["complete"]> } | undefined
  let props: EditorProps | undefined
  let columns = 80

  function press(key: LineKey): void {
    if (props === undefined) return
    if (key.type === "outside") writeOutside(props)
    else if (key.type === "complete") complete(props)
    else if (!pressedInMenu(key, props)) apply(key, props)
    redraw()
  }

  function apply(change: Edit, around: EditorProps): void {
    const before = state
    const edited = edit(state, change, { columns, history: historyFor(around) })
    state = edited.state
    const goesBack = change.type === "search" || (change.type === "move" && change.to === "up")
    if (goesBack && earlier === "unknown") askEarlier(change, around)
    const isTyping = change.type === "type" || change.type === "paste" || change.type === "delete"
    if (isTyping && state.text !== before.text && state.search === null) ask(around)
    else if (state.text !== before.text || state.cursor !== before.cursor) menu = null
    if (edited.effect !== undefined) carryOut(edited.effect, around)
  }

  function historyFor({ history }: EditorProps): string[] {
    const others = typeof earlier === "string" ? [] : earlier
    const before = [...others, ...history].filter(text => !entered.includes(text))
    return [...before.filter(isRemembered), ...entered]
  }

  /** A person who found nothing further back, and did nothing since, is there now. */
  function askEarlier(change: Edit, around: EditorProps): void {
    earlier = "asked"
    const before = state
    void around
      .earlier()
      .catch(() => [])
      .then(messages => {
        earlier = messages
        const isBeyond = change.type === "move" && state === before && state.recalled === null
        if (isBeyond && state.cursor === 0) apply(change, around)
        redraw()
      })
  }

  function carryOut(effect: Effect, around: EditorProps): void {
    if (effect === "escape") around.onEscape()
    else if (effect === "cancel") around.onCancel()
    else send(around)
  }

  function send(around: EditorProps): void {
    const text = wholeText(state.text, state.pieces)
    const images = imagesIn(state.text, state.pieces)
    state = { ...emptyState, ...keptFrom(state) }
    menu = null
    argument = undefined
    closedAt = null
    if (isRemembered(text)) entered = [...entered, text].slice(-keptLines)

    const [, name, rest = ""] = /^\/(\w+)(?:\s+(.*))?$/s.exec(text.trim()) ?? []
    if (name !== undefined && text.startsWith("/")) around.onCommand(name, rest)
    else if (text.startsWith("!") && text.slice(1).trim() !== "") {
      around.onShell(text.slice(1).trim())
    } else around.onSubmit(text, images)
  }

  /** True when the menu took the key. */
  function pressedInMenu(key: Edit, around: EditorProps): boolean {
    if (menu === null) return false
    const isStale = !sameWanted(menu.wanted, wantedAt(state))
    if (key.type === "escape") {
      closedAt = menu.wanted.start
      menu = null
      return true
    }
    if (key.type === "move" && (key.to === "up" || key.to === "down")) {
      menu = movedIn(menu, key.to === "up" ? -1 : 1)
      return true
    }
    if (key.type !== "enter" || isStale || menu.at === -1 || isTyped(menu)) return false
    const { wanted } = menu
    take(menu, around)
    // A command that takes nothing more, or all that it takes, needs no second key.
    if (wanted.type === "argument" || (wanted.type === "command" && !takesMore(around)))
      send(around)
    return true
  }

  function takesMore({ commands }: EditorProps): boolean {
    const name = state.text.trim().slice(1)
    return commands.some(command => command.name === name && command.arguments !== "")
  }

  function complete(around: EditorProps): void {
    const isFresh = menu !== null && sameWanted(menu.wanted, wantedAt(state))
    if (menu !== null && isFresh) take(menu, around)
    else ask(around, true)
  }

  function take(picked: Menu, around: EditorProps): void {
    state = completed(state, picked)
    menu = null
    ask(around)
  }

  /** Looks for what the letters may become; what comes when they are others is dropped. */
  function ask(around: EditorProps, isWanted = false): void {
    const wanted = wantedAt(state)
    if (wanted?.type !== "argument") argument = undefined
    if (wanted === null || (wanted.start === closedAt && !isWanted)) {
      if (wanted === null) closedAt = null
      menu = null
      return
    }
    if (wanted.type === "command") {
      menu = menuOf(wanted, commandsFor(wanted.letters, around.commands))
      return
    }
    if (menu?.wanted.type !== wanted.type || menu.wanted.start !== wanted.start) menu = null
    void choicesFor(wanted, around)
      .catch(() => [])
      .then(choices => {
        if (!sameWanted(wanted, wantedAt(state))) return
        menu = menuOf(wanted, choices)
        redraw()
      })
  }

  async function choicesFor(
    { type, letters, command }: Wanted,
    { paths, complete }: EditorProps,
  ): Promise<Menu["choices"]> {
    if (type === "path") return (await paths(letters)).map(value => ({ value }))
    // Models are asked of their providers: not for every letter.
    if (argument?.command !== command) argument = { command, choices: complete(command) }
    return matching(letters, await argument.choices)
  }

  function paste(text: string): void {
    if (props === undefined) return
    const files = state.search === null ? droppedFiles(text) : null
    if (files === null) apply({ type: "paste", text }, props)
    else drop(files)
    redraw()
  }

  /** Each is a text until it has turned out to be an image. */
  function drop(files: readonly string[]): void {
    files.forEach((path, index) => {
      if (index > 0) state = inserted(state, " ")
      const at = state.pieces.length
      const piece: Piece = { type: "file", text: path, image: null }
      state = withPiece(state, piece)
      void readDropped(path).then(image => {
        if (image === null) return
        const pieces = state.pieces.map(each => (each === piece ? { ...piece, image } : each))
        if (state.pieces[at] === piece) state = { ...state, pieces }
        redraw()
      })
    })
  }

  function writeOutside(around: EditorProps): void {
    const before = state
    menu = null
    writtenOutside(wholeText(state.text, state.pieces), around)
      .then(written => {
        if (written.status === "failed") around.onNotice(written.reason)
        // The last line end is the editor's own.
        else if (state === before) state = withText(state, written.text.replace(/\r?\n$/, ""))
      })
      .catch((error: unknown) => {
        around.onNotice(error instanceof Error ? error.message : String(error))
      })
      .finally(redraw)
  }

  return {
    press,
    paste,

    use(next, width) {
      props = next
      columns = width
    },

    give(text) {
      const line = { text: "", cursor: 0 }
      const draft = state.text
      state = inserted(changed(state, line), draft === "" ? text : `${text}\n`)
      const { cursor } = state
      state = { ...state, text: state.text.slice(0, cursor) + draft, cursor }
      menu = null
      redraw()
    },

    shown: () => ({ state, menu }),
  }
}

/** As shells have it: what begins with a space is not. */
function isRemembered(text: string): boolean {
  return !text.startsWith(" ")
}

async function writtenOutside(text: string, { env, suspend }: EditorProps) {
  const { writtenInEditor } = await import("../gate/outside.ts")
  return writtenInEditor({ name: "message.md", text }, { env, suspend })
}

/** What was cut can be put back in the next line, too. */
function keptFrom({ killed, pieces }: EditorState): Pick<EditorState, "killed" | "pieces"> {
  return { killed, pieces: killed === "" ? [] : pieces }
}
