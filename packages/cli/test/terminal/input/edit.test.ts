import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Edit, edit } from "../../../src/terminal/input/edit.ts"
import { graphemesOf } from "../../../src/terminal/input/graphemes.ts"
import { wholeText } from "../../../src/terminal/input/pieces.ts"
import { type EditorState, emptyState } from "../../../src/terminal/input/state.ts"

const history = ["first message", "second\nmessage", "漢字 and 👩‍👩‍👧"]
const context = { columns: 20, history }

/** The line after these edits, a `|` at the cursor. */
function after(...changes: readonly (Edit | string)[]): string {
  const { text, cursor, pieces } = stateAfter(changes)
  return wholeText(`${text.slice(0, cursor)}|${text.slice(cursor)}`, pieces)
}

function stateAfter(changes: readonly (Edit | string)[], from = emptyState): EditorState {
  return changes
    .map(change => (typeof change === "string" ? { type: "type" as const, text: change } : change))
    .reduce((state, change) => edit(state, change, context).state, from)
}

const move = (to: Extract<Edit, { type: "move" }>["to"]): Edit => ({ type: "move", to })
const remove = (to: Extract<Edit, { type: "delete" }>["to"]): Edit => ({
  type: "delete",
  to,
  keep: true,
})
const undo: Edit = { type: "undo" }
const up = move("up")
const down = move("down")
const enter: Edit = { type: "enter" }
const newline: Edit = { type: "newline" }
const paste = (text: string): Edit => ({ type: "paste", text })

describe("the cursor", () => {
  test("goes over a character as a person sees it, however many code points it has", () => {
    expect(after("a👩‍👩‍👧é", move("left"), move("left"))).toBe("a|👩‍👩‍👧é")
    expect(after("a👩‍👩‍👧é", { type: "delete", to: "left", keep: false })).toBe("a👩‍👩‍👧|")
  })

  test("goes word by word", () => {
    expect(after("git log --oneline", move("word_left"))).toBe("git log --|oneline")
    expect(after("git log --oneline", move("word_left"), move("word_left"))).toBe(
      "git |log --oneline",
    )
    expect(after("git log", move("line_start"), move("word_right"))).toBe("git| log")
  })

  test("goes over rows as they are wrapped, and aims at the column that it began in", () => {
    const text = "0123456789012345678x0123456789"
    expect(after(text, up)).toBe("0123456789|012345678x0123456789")
    expect(after("long enough", newline, "", newline, "long too", up, up)).toBe(
      "long eno|ugh\n\nlong too",
    )
  })
})

describe("cutting", () => {
  test("takes what a shell would, and yank puts it back", () => {
    expect(after("one two/three ", remove("space_left"))).toBe("one |")
    expect(after("one two", move("word_left"), remove("line_end"))).toBe("one |")
    expect(after("one two", move("word_left"), remove("line_start"))).toBe("|two")
    expect(after("one two", remove("word_left"), move("line_start"), { type: "yank" })).toBe(
      "two|one ",
    )
  })

  test("at the end of a line takes the line end", () => {
    expect(after("a", newline, "b", up, move("line_end"), remove("line_end"))).toBe("a|b")
  })
})

describe("Enter", () => {
  test("after a backslash at the end of a line goes on in the next one", () => {
    expect(after("one\\", enter, "two")).toBe("one\ntwo|")
  })

  test("sends what is not empty", () => {
    expect(edit(stateAfter(["hello"]), enter, context).effect).toBe("submit")
    expect(edit(stateAfter(["  "]), enter, context).effect).toBeUndefined()
  })
})

describe("a paste", () => {
  const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} 漢字`).join("\n")

  test("of 2,000 lines is one character in the line and is sent whole", () => {
    const { text, pieces } = stateAfter(["see: ", paste(lines), " thanks"])
    expect(graphemesOf(text)).toHaveLength("see: ".length + 1 + " thanks".length)
    expect(wholeText(text, pieces)).toBe(`see: ${lines} thanks`)
  })

  test("that holds characters which stand for pieces is no piece of another's", () => {
    const own = "\u{f0000}"
    const { text, pieces } = stateAfter([paste(lines), paste(own)])
    expect(wholeText(text, pieces)).toBe(lines + own)
  })

  test("is taken back as a whole, and put back by yank", () => {
    expect(after("a ", paste(lines), undo)).toBe("a |")
    expect(after("a ", paste(lines), remove("left"), { type: "yank" })).toBe(`a ${lines}|`)
  })

  test("has its line ends made one kind", () => {
    expect(after(paste("a\r\nb\rc"))).toBe("a\nb\nc|")
  })
})

describe("earlier messages", () => {
  test("come when the cursor goes beyond the first row, and the draft comes back after them", () => {
    expect(after("draft", up)).toBe(`${history[2]}|`)
    expect(after("draft", up, up, move("line_start"), up)).toBe("|second\nmessage")
    expect(after("draft", up, up, up, up, up)).toBe("first message|")
    expect(after("draft", up, up, down, down)).toBe("draft|")
    expect(after("draft", up, undo)).toBe("draft|")
  })

  test("are searched: the key again goes further back, Esc gives the draft back", () => {
    const search: Edit = { type: "search" }
    expect(after("draft", search, "MESSAGE")).toBe("second\nmessage|")
    expect(after("draft", search, "message", search)).toBe("first message|")
    expect(after("draft", search, "message", enter, "!")).toBe("second\nmessage!|")
    expect(after("draft", search, "message", { type: "escape" })).toBe("draft|")
    expect(after("draft", search, "nothing of it")).toBe("draft|")
  })
})

test("letters of one word are taken back at once, a word at a time", () => {
  expect(after("o", "n", "e", " ", "t", "w", "o", undo)).toBe("one |")
  expect(after("o", "n", "e", " ", "t", "w", "o", undo, undo, undo)).toBe("|")
})

const letters = fc.oneof(
  fc.constantFrom(
    "a",
    " ",
    "é",
    "e",
    "\u0301",
    "👩",
    "\u200d",
    "🇩",
    "漢",
    "\n",
    "\t",
    "\\",
    "\u{f0001}",
  ),
  fc.string({ unit: "binary", maxLength: 5 }),
)
const target = fc.constantFrom(
  ...([
    "left",
    "right",
    "word_left",
    "word_right",
    "space_left",
    "line_start",
    "line_end",
  ] as const),
)
const edits: fc.Arbitrary<Edit> = fc.oneof(
  letters.map(text => ({ type: "type" as const, text })),
  letters.map(text => ({ type: "paste" as const, text })),
  letters.map(text => ({ type: "paste" as const, text: `${text}\n`.repeat(9) })),
  target.map(to => ({ type: "move" as const, to })),
  fc.constantFrom(up, down, newline, undo, { type: "yank" as const }, { type: "cancel" as const }),
  target.map(to => ({ type: "delete" as const, to, keep: true })),
)

test("whatever is done, the cursor stands between characters", () => {
  fc.assert(
    fc.property(fc.array(edits, { maxLength: 30 }), changes => {
      const { text, cursor } = stateAfter(changes)
      const places = [...graphemesOf(text).map(({ at }) => at), text.length]
      expect(places).toContain(cursor)
    }),
  )
})

test("whatever is done, taking it all back leads through each line as it was, to the first", () => {
  fc.assert(
    fc.property(letters, fc.array(edits, { maxLength: 20 }), (first, changes) => {
      const start = stateAfter([{ type: "paste", text: first }])
      const seen = new Set([start.text])
      let state = start
      for (const change of changes.filter(({ type }) => type !== "undo")) {
        state = edit(state, change, context).state
        seen.add(state.text)
      }
      while (state.past.length > 0) {
        state = edit(state, undo, context).state
        expect(seen.add("")).toContain(state.text)
      }
      expect(state.text).toBe("")
    }),
  )
})

test("what is typed and pasted is in the line, whole and in its order, wherever the cursor went", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(letters, fc.boolean()), { maxLength: 15 }),
      fc.array(target, { maxLength: 5 }),
      (texts, moves) => {
        let state = emptyState
        for (const [text, long] of texts) {
          const pasted = long ? `${text}\n`.repeat(10) : text
          for (const to of moves) state = edit(state, move(to), context).state
          const { cursor, pieces } = state
          const before = wholeText(state.text.slice(0, cursor), pieces)
          const behind = wholeText(state.text.slice(cursor), pieces)
          state = edit(state, paste(pasted), context).state
          const whole = wholeText(state.text, state.pieces)
          expect(whole).toBe(before + pasted.replace(/\r\n?/g, "\n") + behind)
        }
      },
    ),
  )
})

test("what is cut comes back where it was", () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 10 }), target, target, (texts, to, cut) => {
      const state = stateAfter([...texts.map(paste), move(to)])
      const without = stateAfter([remove(cut)], state)
      if (without === state) return
      expect(stateAfter([undo], without).text).toBe(state.text)
      const back = stateAfter([{ type: "yank" }], without)
      expect([...back.text].toSorted()).toEqual([...state.text].toSorted())
    }),
  )
})
