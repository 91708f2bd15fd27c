import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { visible } from "../../text/visible.ts"
import { withKernel } from "../with-kernel.ts"

/** `harness conversations rename`: gives a conversation a title. */
export function renameConversation(
  conversation: string,
  title: string,
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const renamed = await ask(kernel, { type: "rename", conversation, title })
    invocation.stdout.write(visible(`it is called ${renamed.title}\n`))
    return 0
  })
}
