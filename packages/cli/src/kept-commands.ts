import { type Command, Option } from "commander"
import { notEmpty, positiveInteger } from "./arguments.ts"
import type { ExportOptions } from "./commands/conversations/export.ts"
import type { ListOptions } from "./commands/conversations/list.ts"
import type { Invocation } from "./invocation.ts"

export const keptCommandNames = ["conversations"]

const which = "its id, the beginning of it, or last"

/** Adds `harness conversations` to the parser; each command tells `ended` its exit code. */
export function keptCommands(
  program: Command,
  invocation: Invocation,
  ended: (code: number) => void,
): void {
  const conversations = program
    .command("conversations")
    .description("list, show, export, fork, rename and delete conversations (default: list)")

  conversations
    .command("list", { isDefault: true })
    .description("list the conversations of a project, the newest activity first")
    .option("--folder <folder>", "the project's folder (default: where you are)", notEmpty)
    .addOption(new Option("--all", "those of every project").conflicts("folder"))
    .option("--json", "print them as JSON")
    .action(async (options: ListOptions) => {
      const { listConversations } = await import("./commands/conversations/list.ts")
      ended(await listConversations(options, invocation))
    })

  conversations
    .command("show")
    .description("print what was said and done in short, and the table of its steps")
    .argument("<conversation>", which, notEmpty)
    .option("--json", "print every event as one JSON line")
    .action(async (conversation: string, options: { json?: true }) => {
      const { showConversation } = await import("./commands/conversations/show.ts")
      ended(await showConversation(conversation, options, invocation))
    })

  conversations
    .command("export")
    .description("write a whole conversation, with diffs, as one Markdown or HTML file")
    .argument("<conversation>", which, notEmpty)
    .addOption(
      new Option("--format <format>", "default: by the file's name, else markdown").choices([
        "markdown",
        "html",
      ]),
    )
    .option("-o, --output <file>", "the file (default: standard output)", notEmpty)
    .action(async (conversation: string, options: ExportOptions) => {
      const { exportConversation } = await import("./commands/conversations/export.ts")
      ended(await exportConversation(conversation, options, invocation))
    })

  conversations
    .command("fork")
    .description("make a conversation that begins as another one was after a turn")
    .argument("<conversation>", which, notEmpty)
    .option("--turn <number>", "after that turn (default: the last)", positiveInteger)
    .action(async (conversation: string, options: { turn?: number }) => {
      const { forkConversation } = await import("./commands/conversations/fork.ts")
      ended(await forkConversation(conversation, options, invocation))
    })

  conversations
    .command("rename")
    .description("give a conversation a title")
    .argument("<conversation>", which, notEmpty)
    .argument("<title>", "of at most 200 characters, in quotes", notEmpty)
    .action(async (conversation: string, title: string) => {
      const { renameConversation } = await import("./commands/conversations/rename.ts")
      ended(await renameConversation(conversation, title, invocation))
    })

  conversations
    .command("delete")
    .description("remove a conversation with all that it keeps, for good")
    .argument("<conversation>", which, notEmpty)
    .option("-y, --yes", "do it without being asked")
    .action(async (conversation: string, options: { yes?: true }) => {
      const { deleteConversation } = await import("./commands/conversations/delete.ts")
      ended(await deleteConversation(conversation, options, invocation))
    })
}
