import type { Kernel } from "@harness/kernel"
import { type AnswerTo, CommandAnswer, KernelCommand, KernelEvent } from "@harness/protocol"
import type * as z from "zod"

/**
 * The same kernel, with everything that crosses its face sent through JSON and the schemas, as it
 * would be if a face sat in another process. Nothing may depend on more than this lets through.
 *
 * @example
 * const compose = async context => throughJson(await realCompose(context))
 */
export function throughJson(kernel: Kernel): Kernel {
  return {
    async dispatch<Command extends KernelCommand>(command: Command) {
      const answer = await kernel.dispatch(sent(KernelCommand, command))
      const arrived = sent(CommandAnswer, answer)
      if (isAnswerTo(arrived, command)) return arrived
      throw new Error(`the kernel answered ${arrived.type} to ${command.type}`)
    },
    subscribe: listener => kernel.subscribe(event => listener(sent(KernelEvent, event))),
    close: () => kernel.close(),
  }
}

function sent<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema> {
  return schema.parse(JSON.parse(JSON.stringify(value)))
}

function isAnswerTo<Command extends KernelCommand>(
  answer: CommandAnswer,
  command: Command,
): answer is AnswerTo<Command["type"]> {
  return answer.type === command.type || answer.type === "failed"
}
