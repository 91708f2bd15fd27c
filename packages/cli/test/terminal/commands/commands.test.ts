import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type AnswerTo,
  type CommandAnswer,
  type ConversationSummary,
  type KernelCommand,
  toFailure,
} from "@harness/protocol"
import { expect, onTestFinished, test } from "vitest"
import { slashCommands } from "../../../src/terminal/commands/table.ts"
import type { TerminalCommands } from "../../../src/terminal/contracts.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"
import { emptyView } from "../../../src/terminal/view/empty.ts"
import type { HistoryItem, View } from "../../../src/terminal/view/view.ts"

const id = "0123456789ab"
const nowMs = Date.parse("2026-11-30T12:00:00.000Z")

/** A terminal over a kernel that answers what it is told to, by the command's type. */
function terminal(answers: Partial<Record<KernelCommand["type"], CommandAnswer>> = {}) {
  const asked: KernelCommand[] = []
  const printed: HistoryItem[] = []
  const went: string[] = []
  let view: View = emptyView(id)
  const commands = slashCommands({ now: () => nowMs })

  const given: TerminalCommands = {
    columns: 80,
    theme: themeFor({ NO_COLOR: "1" }, false),
    kernel: {
      async dispatch<Command extends KernelCommand>(command: Command) {
        asked.push(command)
        const answer = answers[command.type]
        if (answer !== undefined && isAnswerTo(answer, command)) return answer
        throw new Error(`nobody answers ${command.type}`)
      },
    },
    conversation: id,
    view: () => view,
    steps: () => [],
    print: (...items) => printed.push(...items),
    send: text => went.push(`sent ${text.split("\n")[0]}`),
    goTo: to => went.push(`to ${to}`),
    leave: () => went.push("left"),
    suspend: run => run(),
  }
  /** Resolves with what was thrown, as the failure that it is; null when nothing was. */
  const say = async (line: string) => {
    const [, name, rest = ""] = /^(\w+)\s*(.*)$/s.exec(line) ?? []
    const command = commands.find(each => each.name === name)
    try {
      await command?.run(rest, given)
      return null
    } catch (error) {
      return toFailure(error)
    }
  }
  const lines = () =>
    printed.flatMap(item => {
      if (item.type === "lines") return item.lines
      return "text" in item ? [item.text] : []
    })
  const become = (status: Partial<View["status"]>, live: Partial<View["live"]> = {}) => {
    view = { ...view, status: { ...view.status, ...status }, live: { ...view.live, ...live } }
  }
  return { say, asked, lines, went, become, commands, given }
}

function isAnswerTo<Command extends KernelCommand>(
  answer: CommandAnswer,
  command: Command,
): answer is AnswerTo<Command["type"]> {
  return answer.type === command.type || answer.type === "failed"
}

const spent = {
  steps: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  cost: 0,
}
const state = {
  model: "a/m",
  style: "tools",
  approve: "gate",
  context_tokens: null,
  spent,
} as const
const configured: CommandAnswer = { type: "configure", state }
const other: ConversationSummary = {
  id: "ffff00001111",
  short_id: "ffff00",
  title: "The other one",
  folder: "/p",
  remote: null,
  model: "a/m",
  started_at: "2026-11-30T10:00:00.000Z",
  active_at: "2026-11-30T11:00:00.000Z",
  turns: 2,
  steps: 3,
  cost: 0.5,
  ending: { status: "answered" },
  open: false,
}

test("each command says what it is for, and /help names them all", async () => {
  const { say, lines, commands } = terminal()
  await say("help")
  const help = lines().join("\n")
  expect(commands.filter(({ name }) => !help.includes(`/${name}`))).toEqual([])
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      "help init model style approve plan environments processes diff undo compact cost resume fork export quit".split(
        " ",
      ),
    ),
  )
})

test("/plan goes to plan, and again back to what it was before", async () => {
  const { say, asked, become } = terminal({ configure: configured })
  become({ approve: "none" })
  await say("plan")
  become({ approve: "plan" })
  await say("plan")
  expect(asked).toEqual([
    { type: "configure", conversation: id, approve: "plan" },
    { type: "configure", conversation: id, approve: "none" },
  ])
})

test("a word that is none of a command's is refused with those that are", async () => {
  const { say, asked } = terminal()
  expect(await say("style prose")).toMatchObject({
    code: "command_invalid",
    message: expect.stringContaining('"prose" is none of programs, tools'),
  })
  expect(await say("diff x")).toMatchObject({ code: "command_invalid" })
  expect(asked).toEqual([])
})

test("/model without a name lists the models, the one that answers marked", async () => {
  const { say, lines, become } = terminal({
    models: {
      type: "models",
      models: ["a/m", "a/n"].map(name => ({
        id: name,
        provider: "a",
        context_tokens: 1_000,
        output_tokens: null,
        images: null,
        price: null,
        generated_at: null,
        default: name === "a/n",
        configured: [],
      })),
      unknown: [{ provider: "b", reason: "no key" }],
    },
  })
  become({ model: "a/m" })
  await say("model")
  const shown = lines()
  expect(shown.find(line => line.includes("a/m"))).toMatch(/^\* {2}a\/m/)
  expect(shown.find(line => line.includes("a/n"))).toMatch(/^ {3}a\/n/)
  expect(shown).toContain("b: no key")
})

const planned: Extract<CommandAnswer, { type: "undo" }> = {
  type: "undo",
  conversation: id,
  folder: "/p",
  seq: 9,
  files: [{ path: "a.txt", by: "actions", status: "restore" }],
}

test("/undo shows what it would do; /undo yes closes the conversation, does it, and goes on", async () => {
  const { say, asked, lines, went } = terminal({ undo: planned, close: { type: "close" } })
  await say("undo 2")
  expect(lines().join("\n")).toContain("will be restored  a.txt")
  await say("undo yes")

  const meant = { type: "undo", conversation: id, turn: 2 }
  expect(asked).toEqual([
    { ...meant, shown_seq: null },
    { type: "close", conversation: id },
    { ...meant, shown_seq: null },
    { ...meant, shown_seq: 9 },
  ])
  expect(went).toEqual([`to ${id}`])
})

test("/undo yes undoes nothing that was not shown", async () => {
  const { say, asked, lines } = terminal({ undo: planned })
  await say("undo yes")
  expect(asked).toEqual([])
  expect(lines()).toEqual(["/undo shows first what would be done"])
})

test("what would take the conversation from under a turn is refused while one runs", async () => {
  const { say, asked, become } = terminal()
  become({}, { phase: { type: "working", sinceMs: 0 } })
  for (const line of ["undo", "fork", "compact", "resume ffff"]) {
    expect(await say(line)).toMatchObject({ code: "command_invalid" })
  }
  expect(asked).toEqual([])
})

test("/resume lists the project's others, and goes to one by the beginning of its id", async () => {
  const conversations = [other, { ...other, id, short_id: "012345", open: true }]
  const { say, lines, went, become } = terminal({
    conversations: { type: "conversations", conversations, damaged: [] },
  })
  become({ folder: "/p" })
  await say("resume")
  expect(lines().filter(line => line.includes("The other one"))).toHaveLength(1)
  await say("resume ffff")
  expect(went).toEqual([`to ${other.id}`])
  expect(await say("resume 0123")).toMatchObject({ code: "command_invalid" })
  expect(await say("resume 99")).toMatchObject({ code: "conversation_unknown" })
})

test("/fork goes on in the copy", async () => {
  const { say, asked, went } = terminal({ fork: { type: "fork", conversation: "eeee" } })
  await say("fork 1")
  expect(asked).toEqual([{ type: "fork", conversation: id, turn: 1 }])
  expect(went).toEqual(["to eeee"])
})

test("/export writes a file for its owner alone, and never over another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "harness-export-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { say, lines, become } = terminal({
    show: { type: "show", summary: { ...other, id }, events: [] },
  })
  become({ folder })
  expect(await say("export talk.md")).toBeNull()

  const file = join(folder, "talk.md")
  expect(await readFile(file, "utf8")).toContain("The other one")
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(lines()).toEqual([`written: ${file}`])
  expect(await say("export talk.md")).toMatchObject({ code: "command_invalid" })
})

test("/processes names what runs and for how long; nothing of it is obeyed", async () => {
  const { say, lines } = terminal({
    environments: {
      type: "environments",
      environments: [
        {
          kind: "project",
          folder: "/p",
          processes: [
            {
              id: "p1",
              command: "npm run\u001b[2J dev",
              started_at: "2026-11-30T11:55:00.000Z",
              ready: null,
            },
          ],
        },
      ],
    },
  })
  await say("processes")
  expect(lines()).toEqual(["id  age  ready  command", "p1  5 m         npm run^[[2J dev"])
})

test("/cost says what is spent, and how full the window is", async () => {
  const { say, lines, become } = terminal()
  become({
    cost: { usd: 0.0312, unknown: false },
    inputTokens: 1_234,
    outputTokens: 56,
    context: { tokens: 68_000, window: 200_000 },
  })
  await say("cost")
  expect(lines()).toEqual(["$0.0312 · 1,234 in, 56 out · context 68,000 of 200,000 tokens (34%)"])
})

test("/init sends the task that writes AGENTS.md", async () => {
  const { say, went } = terminal()
  await say("init")
  expect(went).toEqual([
    "sent Write AGENTS.md at the root of this project: what an agent that works here must know and cannot see at a glance.",
  ])
})
