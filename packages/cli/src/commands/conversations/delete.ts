import type { Kernel } from "@harness/kernel"
import { failure, HarnessFailure } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { confirm } from "../../confirm.ts"
import { watchInterruption } from "../../interruption.ts"
import type { Invocation } from "../../invocation.ts"
import { counted } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { withKernel } from "../with-kernel.ts"

/**
 * `harness conversations delete`: says which one it is and, after a yes, removes it. Without a terminal
 * and without `--yes` nothing is done (exit 2).
 */
export function deleteConversation(
  conversation: string,
  { yes }: { yes?: true },
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation
  return withKernel(invocation, async kernel => {
    const { id, words } = await found(kernel, conversation)
    const agreed = yes ?? (await consent(words, invocation))
    if (agreed !== true) return agreed
    const deleted = await ask(kernel, { type: "delete", conversation: id })
    stdout.write(`deleted ${deleted.conversation}\n`)
    return 0
  })
}

/** One whose log does not hold can be deleted, too: nothing is known of it but its name. */
async function found(
  kernel: Pick<Kernel, "dispatch">,
  conversation: string,
): Promise<{ id: string; words: string }> {
  const shown = await kernel.dispatch({ type: "show", conversation })
  if (shown.type === "show") {
    const { id, turns, title } = shown.summary
    return { id, words: visible(`${id}, ${counted(turns, "turn")}: ${title}`) }
  }
  const isUnreadable = ["log_damaged", "log_unreadable"].includes(shown.failure.code)
  if (isUnreadable && conversation !== "last") {
    return { id: conversation, words: `${conversation}, whose log cannot be read` }
  }
  throw new HarnessFailure(shown.failure)
}

/** True, or the exit code of a deletion that was not agreed to. */
async function consent(words: string, invocation: Invocation): Promise<true | number> {
  const { stdin, stdout, stderr } = invocation
  stdout.write(`conversation ${words}\n`)
  if (!stdin.isTTY || !stderr.isTTY) {
    throw failure("confirmation_required", { command: "conversations delete" })
  }
  const interruption = watchInterruption(invocation)
  try {
    const question = "Delete it, with all that it keeps, for good?"
    const yes = await confirm({ question, stdin, stderr, signal: interruption.first })
    if (yes) return true
    stderr.write(`${interruption.first.aborted ? "\n" : ""}nothing was deleted\n`)
    return interruption.exit() ?? 1
  } finally {
    interruption.stop()
  }
}
