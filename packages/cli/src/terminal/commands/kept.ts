import { writeFile } from "node:fs/promises"
import { extname, resolve } from "node:path"
import { type ConversationSummary, failure } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { evidenceReader } from "../../commands/evidence-reader.ts"
import { conversationLines } from "../../text/conversations.ts"
import type { SlashCommand, TerminalCommands } from "../contracts.ts"
import { requireIdle, say, sayTable, turnIn } from "./saying.ts"

/** `/resume`, `/fork`, `/rename`, `/export`: conversations as they are kept. */
export function keptCommands(now: () => number): SlashCommand[] {
  return [
    {
      name: "resume",
      arguments: "[conversation]",
      description: "go on with another conversation; without an id, which there are",
      complete: async terminal =>
        (await others(terminal)).map(({ short_id, title }) => ({ value: short_id, note: title })),
      run: async (rest, terminal) => {
        const id = rest.trim()
        if (id === "") return list(terminal, now())
        requireIdle("resume", terminal)
        await goTo(id, terminal)
      },
    },
    {
      name: "fork",
      arguments: "[turn]",
      description: "go on in a copy of this conversation, as it was after a turn",
      run: async (rest, terminal) => {
        requireIdle("fork", terminal)
        const { kernel, conversation } = terminal
        const turn = turnIn(rest, "fork")
        const from = { type: "fork" as const, conversation, ...(turn !== undefined && { turn }) }
        const { conversation: forked } = await ask(kernel, from)
        say(terminal, `conversation ${conversation} stays as it is; ${forked} goes on`)
        terminal.goTo(forked)
      },
    },
    {
      name: "rename",
      arguments: "<title>",
      description: "what lists call this conversation",
      run: async (rest, { kernel, conversation }) => {
        await ask(kernel, { type: "rename", conversation, title: rest.trim() })
      },
    },
    {
      name: "export",
      arguments: "[file]",
      description: "this conversation as Markdown, or as HTML by the file's name",
      run: exportTo,
    },
  ]
}

async function list(terminal: TerminalCommands, nowMs: number): Promise<void> {
  const conversations = await others(terminal)
  if (conversations.length === 0) return say(terminal, "this project has no other conversation")
  const { columns } = terminal
  sayTable(terminal, conversationLines(conversations, { columns, nowMs, projects: false }))
  say(terminal, `/resume ${conversations[0]?.short_id ?? ""} goes on with one`)
}

/** Those of the same project in which something was said. */
async function others(terminal: TerminalCommands): Promise<ConversationSummary[]> {
  const { folder } = terminal.view().status
  const { conversations } = await ask(terminal.kernel, { type: "conversations", folder })
  return conversations.filter(({ id, turns }) => id !== terminal.conversation && turns > 0)
}

/** This one is left only for one that is there. */
async function goTo(beginning: string, terminal: TerminalCommands): Promise<void> {
  const { conversations } = await ask(terminal.kernel, { type: "conversations" })
  const [found, other] = conversations.filter(({ id }) => id.startsWith(beginning))
  if (found === undefined) throw failure("conversation_unknown", { conversation: beginning })
  const reason =
    other !== undefined
      ? `"${beginning}" begins more than one conversation`
      : found.id === terminal.conversation
        ? "it is this conversation"
        : found.open
          ? `${found.short_id} is open elsewhere`
          : null
  if (reason !== null) throw failure("command_invalid", { command: "/resume", reason })
  terminal.goTo(found.id)
}

async function exportTo(rest: string, terminal: TerminalCommands): Promise<void> {
  const { kernel, conversation } = terminal
  const name = rest.trim() || `harness-${conversation}.md`
  const file = resolve(terminal.view().status.folder, name)
  const isHtml = [".html", ".htm"].includes(extname(name).toLowerCase())
  const shown = await ask(kernel, { type: "show", conversation })
  const { exportText } = await import("../../transcript/export.ts")
  const read = evidenceReader(kernel, conversation)
  const text = await exportText(shown, { format: isHtml ? "html" : "markdown", read })
  try {
    // For its owner alone: it holds what the model was told.
    await writeFile(file, text, { mode: 0o600, flag: "wx" })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw failure("command_invalid", { command: "/export", reason })
  }
  say(terminal, `written: ${file}`, "plain")
}
