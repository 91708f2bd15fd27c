import { resolve } from "node:path"
import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { conversationLines } from "../../text/conversations.ts"
import { paintFor } from "../../text/paint.ts"
import { visible } from "../../text/visible.ts"
import { withKernel } from "../with-kernel.ts"

export type ListOptions = { folder?: string; all?: true; json?: true }

/** `harness conversations list`: those of a project, or all; what does not hold is named. */
export function listConversations(
  { folder = ".", all, json }: ListOptions,
  invocation: Invocation,
  now: () => number = Date.now,
): Promise<number> {
  const { stdout, stderr, cwd, env } = invocation
  return withKernel(invocation, async kernel => {
    const { type: _type, ...listed } = await ask(kernel, {
      type: "conversations",
      ...(!all && { folder: resolve(cwd, folder) }),
    })
    const { conversations, damaged } = listed
    if (json) stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
    else if (conversations.length === 0) stdout.write(noneOf(all, resolve(cwd, folder)))
    else {
      const options = { columns: stdout.columns ?? 120, nowMs: now(), projects: all === true }
      const [titles = "", ...rows] = conversationLines(conversations, options)
      stdout.write(`${[paintFor(stdout, env).bold(titles), ...rows].join("\n")}\n`)
    }

    for (const { conversation, reason } of damaged) {
      stderr.write(visible(`note: conversation ${conversation} cannot be shown: ${reason}\n`))
    }
    return 0
  })
}

function noneOf(all: true | undefined, folder: string): string {
  if (all) return "There are no conversations.\n"
  return visible(
    `There are no conversations of the project in ${folder}; --all lists those of every project.\n`,
  )
}
