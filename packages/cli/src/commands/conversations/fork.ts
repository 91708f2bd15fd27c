import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { withKernel } from "../with-kernel.ts"

/** `harness conversations fork`: prints the new conversation's id and how to go on with it. */
export function forkConversation(
  conversation: string,
  { turn }: { turn?: number },
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const { conversation: forked } = await ask(kernel, {
      type: "fork",
      conversation,
      ...(turn !== undefined && { turn }),
    })
    invocation.stdout.write(`conversation ${forked}\n`)
    invocation.stdout.write(`to go on: harness resume ${forked}\n`)
    return 0
  })
}
