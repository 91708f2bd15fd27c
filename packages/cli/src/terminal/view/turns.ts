import { noticed } from "./conversation.ts"
import { idleStep } from "./empty.ts"
import { flushed } from "./steps.ts"
import type { Of, View } from "./view.ts"

export function turnStarted(view: View, { turn }: Of<"turn_started">, atMs: number): View {
  return {
    ...view,
    live: { ...idleStep, phase: { type: "working", sinceMs: atMs } },
    status: { ...view.status, turn, step: 0 },
  }
}

/** A message that was queued is delivered with it. Of what harness says itself nothing is shown. */
export function messaged(view: View, { message }: Of<"user_message">): View {
  const text = saidIn(message)
  if (text === undefined) return view
  const images = message.content.filter(({ type }) => type !== "text").length

  const at = view.queued.findIndex(queued => queued.text === text)
  return {
    ...view,
    fresh: [...view.fresh, { type: "user", text, images }],
    queued: at === -1 ? view.queued : view.queued.toSpliced(at, 1),
  }
}

/** What the person said in a message, without what harness adds to it; undefined: all of it is harness's. */
export function saidIn({ content }: Of<"user_message">["message"]): string | undefined {
  const texts = content.flatMap(part => (part.type === "text" ? [part.text] : []))
  // What comes before is AGENTS.md, what changed while nobody looked.
  return texts.findLast(each => !notes.some(note => each.startsWith(note)))
}

/** How notes of the kernel to the model begin that may stand after, or in the place of, the user's own text. */
const notes = [
  "[The images of this message are not here",
  "[The user interrupted you.",
  "[The user ran this command themselves",
  "harness changed what your requests begin with.",
]

export function turnEnded(view: View, { ending }: Of<"turn_ended">): View {
  const { fresh, status, ...rest } = flushed(view)
  const { conversation, step: steps } = status
  return {
    ...rest,
    status,
    fresh: [...fresh, { type: "ending", ending, conversation, steps }],
    live: idleStep,
    requests: [],
  }
}

export function verified(view: View, { command, verification }: Of<"verification_ended">): View {
  const level = verification === "passed" ? "plain" : "bad"
  return noticed(view, { level, text: `verification ${verification} · ${command}` })
}
