import { type CommandAnswer, failure, type KernelCommand } from "@harness/protocol"
import type { KernelOptions } from "../context.ts"
import { findConversation } from "../conversation/find.ts"
import { reopenConversation } from "../conversation/reopen.ts"
import type { Agent } from "../loop/agent.ts"
import { deleteConversation } from "./delete.ts"
import { forkConversation } from "./fork.ts"
import { listConversations, showConversation } from "./list.ts"

type KeptCommand = Extract<
  KernelCommand,
  { type: "conversations" | "show" | "fork" | "rename" | "delete" }
>

type KeptContext = KernelOptions & {
  /** Those that are open in this process, by id. */
  agents: ReadonlyMap<string, Pick<Agent, "rename">>
}

/** Answers the commands about conversations that are kept, open or not. */
export async function answerAboutKept(
  command: KeptCommand,
  context: KeptContext,
): Promise<CommandAnswer> {
  const { home } = context
  if (command.type === "conversations") return listConversations(command.folder, home)

  const conversation = findConversation(home, command.conversation)
  const { id } = conversation
  switch (command.type) {
    case "show":
      return showConversation(conversation, home)
    case "fork": {
      const { turn = null } = command
      return { type: "fork", conversation: forkConversation(conversation, turn, context) }
    }
    case "rename": {
      const title = command.title.replaceAll(/\s+/g, " ").trim()
      if (title === "") {
        throw failure("command_invalid", { command: "rename", reason: "the title is empty" })
      }
      const agent = context.agents.get(id)
      if (agent !== undefined) agent.rename(title)
      else {
        await reopenConversation(conversation, context, async ({ recorder }) =>
          recorder.record({ type: "conversation_renamed", title }, { sync: true }),
        )
      }
      return { type: "rename", title }
    }
    case "delete":
      await deleteConversation(conversation, home)
      return { type: "delete", conversation: id }
  }
}
