import type { Kernel } from "@harness/kernel"
import type { ApproveMode, DurableEvent, KernelEvent } from "@harness/protocol"
import { askLine, confirm } from "../confirm.ts"
import type { Invocation } from "../invocation.ts"
import { diffLines } from "../printers/diff.ts"
import { type Paint, paintFor } from "../text/paint.ts"
import { permitLines } from "../text/permits.ts"
import { visible } from "../text/visible.ts"

type Opened = Extract<DurableEvent, { type: "request_opened" }>

/** The person at the terminal: shows what waits for leave and sends their answer. */
export interface Approver {
  event(event: KernelEvent): void
}

/** Asks one thing at a time, in the order in which they came. */
export function terminalApprover(
  kernel: Pick<Kernel, "dispatch">,
  { stdin, stderr, env }: Pick<Invocation, "stdin" | "stderr" | "env">,
): Approver {
  const paint = paintFor(stderr, env)
  const waiting = new Map<string, AbortController>()
  /** Of requests whose record says less than a person is to see. */
  const previews = new Map<string, Opened["preview"]>()
  let asked = Promise.resolve()

  async function ask(conversation: string, opened: Opened): Promise<void> {
    const settled = waiting.get(opened.request)
    if (settled === undefined) return

    const preview = previews.get(opened.request) ?? opened.preview
    stderr.write(shown({ ...opened, preview }, paint))
    const { signal } = settled
    const answer = await answerTo(opened, { stdin, stderr, signal })
    if (signal.aborted) return

    await kernel.dispatch({ type: "answer", conversation, request: opened.request, ...answer })
  }

  return {
    event({ conversation, event }) {
      if (event.type === "request_opened") {
        waiting.set(event.request, new AbortController())
        asked = asked.then(() => ask(conversation, event))
      } else if (event.type === "request_preview") {
        previews.set(event.request, event.preview)
      } else if (event.type === "request_answered") {
        waiting.get(event.request)?.abort()
        waiting.delete(event.request)
        previews.delete(event.request)
      }
    },
  }
}

/** Leave takes a yes; a question takes a line, or the number of one of its options. */
async function answerTo(
  { subject }: Opened,
  asking: Omit<Parameters<typeof confirm>[0], "question">,
): Promise<{ decision: "approve" | "deny"; answer?: string }> {
  const options = optionsOf(subject)
  if (options === null) {
    const approved = await confirm({ ...asking, question: "Let it?" })
    return { decision: approved ? "approve" : "deny" }
  }
  const line = (await askLine({ ...asking, question: "Your answer? (empty: none)" }))?.trim() ?? ""
  if (line === "") return { decision: "deny" }
  return { decision: "approve", answer: options[Number(line) - 1] ?? line }
}

/** What can be picked; null where it is leave that is asked for. */
function optionsOf(subject: Opened["subject"]): readonly string[] | null {
  if (subject.type === "question") return subject.options
  return subject.type === "environment" ? subject.kinds : null
}

function shown({ subject, title, permits, preview }: Opened, paint: Paint): string {
  const wanted = permitLines(permits).map(line => `  ${paint.yellow(line)}`)
  const lines =
    preview.format === "diff" ? diffLines(preview.text, paint) : visible(preview.text).split("\n")
  const options = optionsOf(subject)?.map((each, at) => `${at + 1}. ${visible(each)}`) ?? []
  const below = [...lines, ...options].map(line => `  ${line}`)
  return [paint.bold(visible(title)), ...wanted, ...below, ""].join("\n")
}

/** Nobody at all: says so once, when the mode would have asked. */
export function absentApprover({ stderr }: Pick<Invocation, "stderr">): Approver {
  return {
    event({ event }) {
      if (event.type !== "conversation_started" || !asks(event.approve)) return
      stderr.write(
        `note: nobody can be asked here: what --approve ${event.approve} asks is denied\n`,
      )
    },
  }
}

/** True for the modes in which something is put before a person. */
function asks(approve: ApproveMode | undefined): boolean {
  return approve === "gate" || approve === "programs"
}
