import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { render } from "ink-testing-library"
import { createElement } from "react"
import { expect, onTestFinished, test, vi } from "vitest"
import type { EditorProps } from "../../../src/terminal/contracts.ts"
import { Editor } from "../../../src/terminal/input/editor.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"

const files = ["src/list.go", "src/a b.go", "README.md"]

function editor(given: Partial<EditorProps> = {}) {
  const sent: unknown[] = []
  const props: EditorProps = {
    columns: 60,
    theme: themeFor({ NO_COLOR: "1" }, false),
    active: true,
    rows: 8,
    placeholder: "what shall be done?",
    history: ["an earlier message"],
    earlier: async () => ["of another conversation"],
    commands: [
      command("model", "[model]", "the model that answers"),
      command("compact", "", "summarise what went before"),
    ],
    paths: async letters => files.filter(file => file.includes(letters)),
    complete: async () => [{ value: "openai/one" }, { value: "openai/two" }],
    env: {},
    onSubmit: (text, images) => sent.push({ text, images: images.map(({ name }) => name) }),
    onCommand: (name, rest) => sent.push({ name, rest }),
    onShell: shell => sent.push({ shell }),
    onEscape: () => sent.push("escape"),
    onCancel: () => sent.push("cancel"),
    onNotice: text => sent.push({ notice: text }),
    suspend: run => run(),
    ...given,
  }
  const { stdin, lastFrame, unmount } = render(createElement(Editor, props))
  onTestFinished(unmount)
  /** One event for each. */
  const type = (...keys: readonly string[]) => {
    for (const key of keys) stdin.write(key)
  }
  const shows = (text: string) =>
    vi.waitFor(() => expect(lastFrame()).toContain(text), { timeout: 10_000 })
  return { type, shows, sent, frame: () => lastFrame() ?? "" }
}

function command(name: string, args: string, description: string) {
  return { name, arguments: args, description, run: async () => {} }
}

const esc = "\u001b"
const pasted = (text: string) => `${esc}[200~${text}${esc}[201~`

test("keys that come faster than frames are all taken, in their order", async () => {
  const { type, sent } = editor()
  type("h", "e", "l", "lo", "\r", "next", "\r")
  expect(sent).toEqual([
    { text: "hello", images: [] },
    { text: "next", images: [] },
  ])
})

test("2,000 pasted lines are one label, and are sent whole", async () => {
  const { type, shows, sent } = editor()
  const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} 漢字 👩‍👩‍👧`).join("\n")
  type("look: ", pasted(lines))
  await shows("› look: [pasted 2,000 lines]")
  type("\r")
  expect(sent).toEqual([{ text: `look: ${lines}`, images: [] }])
})

test("rows beyond what it may take are scrolled, with an arrow to them", async () => {
  const { type, shows, frame } = editor({ rows: 3, columns: 40 })
  type("one", "\n", "two", "\n", "three", "\n", "four")
  await shows("  four")
  expect(frame()).toBe("↑ two\n  three\n  four")
})

test("a command is completed from its first letters, and one that takes nothing is run at once", async () => {
  const { type, shows, sent } = editor()
  type("/co")
  await shows("▸ compact  summarise what went before")
  type("\r")
  expect(sent).toEqual([{ name: "compact", rest: "" }])
})

test("Tab completes a command, and what it may be given is offered", async () => {
  const { type, shows, sent } = editor()
  type("/mo", "\t")
  await shows("  openai/two")
  type("two")
  await shows("▸ openai/two")
  type("\r")
  expect(sent).toEqual([{ name: "model", rest: "openai/two" }])
})

test("without a word for it, a command runs as it is", async () => {
  const { type, shows, sent } = editor()
  type("/model ")
  await shows("openai/one")
  type("\r")
  expect(sent).toEqual([{ name: "model", rest: "" }])
})

test("a path is completed after @, and typing goes on", async () => {
  const { type, shows, sent } = editor()
  type("see @src/a")
  await shows("▸ src/a b.go")
  type("\r", "please", "\r")
  expect(sent).toEqual([{ text: 'see @"src/a b.go" please', images: [] }])
})

test("what is asked for letters that are others by now is dropped", async () => {
  const slow = Promise.withResolvers<string[]>()
  const { type, shows, frame } = editor({
    paths: letters => (letters === "R" ? slow.promise : Promise.resolve(["src/list.go"])),
  })
  type("@R", "\u007f", "l")
  await shows("▸ src/list.go")
  slow.resolve(["README.md"])
  type("i")
  await shows("› @li")
  expect(frame()).not.toContain("README.md")
})

test("Esc closes the menu first; only then it is another's", async () => {
  const { type, shows, frame, sent } = editor()
  type("/m")
  await shows("▸ model")
  type(esc)
  await vi.waitFor(() => expect(frame()).not.toContain("▸"))
  expect(sent).toEqual([])
  type(esc)
  await vi.waitFor(() => expect(sent).toEqual(["escape"]))
})

test("Ctrl-C clears the line, which can be taken back; an empty one is another's", async () => {
  const { type, shows, sent } = editor()
  type("hello", "\u0003")
  await shows("what shall be done?")
  type("\u001f")
  await shows("› hello")
  type("\u0003", "\u0003")
  expect(sent).toEqual(["cancel"])
})

test("a line that begins with ! is the person's own command", async () => {
  const { type, sent } = editor()
  type("!npm test", "\r")
  expect(sent).toEqual([{ shell: "npm test" }])
})

test("what was sent comes back by the arrow, but what began with a space", async () => {
  const { type, shows } = editor()
  type("one", "\r", " secret", "\r", `${esc}[A`)
  await shows("› one")
  type(`${esc}[A`)
  await shows("› an earlier message")
  type(`${esc}[A`)
  await shows("› of another conversation")
})

test("without an earlier message of its own, the conversation has the project's", async () => {
  const { type, shows } = editor({ history: [] })
  type(`${esc}[A`)
  await shows("› of another conversation")
})

test("an image that is dragged in is sent as one; a path that is none stays a text", async () => {
  const folder = await mkdtemp(join(tmpdir(), "harness-editor-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const image = join(folder, "a shot.png")
  await writeFile(image, Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "base64"))
  const none = join(folder, "none.png")

  const { type, shows, sent } = editor()
  type("see ", pasted(`'${image}' `))
  await shows("[image")
  type(" and ", pasted(none), "\r")
  expect(sent).toEqual([{ text: `see [image a shot.png] and ${none}`, images: ["a shot.png"] }])
})

test("the editor of the person's choice gives its text back", async () => {
  const { type, shows } = editor({ env: { PATH: process.env.PATH, EDITOR: "sed -i s/one/two/" } })
  type("one thing", "\u0007")
  await shows("› two thing")
})
