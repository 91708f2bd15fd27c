import type { Kernel } from "@harness/kernel"
import { type CommandAnswer, HarnessFailure, type KernelCommand } from "@harness/protocol"

type Answer<Command extends KernelCommand> = Extract<CommandAnswer, { type: Command["type"] }>

/** Asks the kernel and returns the command's own answer; a refusal is thrown as the failure it is. */
export async function ask<Command extends KernelCommand>(
  kernel: Pick<Kernel, "dispatch">,
  command: Command,
): Promise<Answer<Command>> {
  const answer: CommandAnswer = await kernel.dispatch(command)
  if (isOwnAnswer(answer, command)) return answer
  if (answer.type === "failed") throw new HarnessFailure(answer.failure)
  throw new Error(`the kernel answered ${answer.type} to ${command.type}`)
}

function isOwnAnswer<Command extends KernelCommand>(
  answer: CommandAnswer,
  command: Command,
): answer is Answer<Command> {
  return answer.type === command.type
}
