import type { JsonObject } from "@harness/protocol"
import { defineAction, defineToolView } from "@harness/sdk"
import * as z from "zod"
import type { Requests } from "../policy/requests.ts"
import type { OwnEnd, OwnProposal } from "./own-actions.ts"

const description =
  "Asks the user what only they can say, and waits: a choice of theirs, or a fact that is nowhere here. With nobody there it says no_approver at once."

/** The action by which a model asks the person something. The kernel carries it out itself. */
export const askPersonAction = defineAction({
  name: "ask_person",
  description,
  effect: "observe",
  returns: "{answer}",
  input: z.object({
    question: z.string().min(1),
    options: z.array(z.string().min(1)).max(20).default([]),
  }),
  run: () => Promise.reject(new Error("ask_person is carried out by the kernel")),
  summarise: (_input, { answer }) => (typeof answer === "string" ? `answered: ${answer}` : "asked"),
})

export const askPersonTool = defineToolView({
  name: "ask_person",
  description,
  input: z.object({ question: z.string().min(1), options: z.array(z.string().min(1)).optional() }),
  plan: ({ question, options = [] }) => ({ action: "ask_person", input: { question, options } }),
  present: (_input, result) =>
    typeof result.answer === "string" ? result.answer : JSON.stringify(result),
})

/** Puts the question to the person; the program that asks it stands still meanwhile. */
export async function putQuestion(
  input: JsonObject,
  { actionId, signal, clock }: OwnProposal,
  { requests, approver }: { requests: Pick<Requests, "open">; approver: boolean },
): Promise<OwnEnd> {
  if (!approver) return { status: "error", result: nobody }
  const asked = Question.parse(askPersonAction.input.parse(input))

  clock?.pause()
  try {
    const { decision, by, note, answer } = await requests.open(
      {
        subject: { type: "question", action_id: actionId, ...asked },
        title: "a question",
        preview: { format: "text", text: asked.question },
      },
      signal,
    )
    if (decision === "approve") return { status: "ok", result: { answer: answer ?? "" } }
    if (by === "interrupt") {
      return { status: "cancelled", result: { status: "cancelled", error: "interrupted" } }
    }
    const said = note !== undefined && { reason: note }
    return { status: "denied", result: { status: "denied", by, ...said } }
  } finally {
    clock?.resume()
  }
}

const Question = z.object({ question: z.string(), options: z.array(z.string()) })

const nobody: JsonObject = {
  error: "no_approver",
  message:
    "Nobody is there to answer. Decide by what you know, and say in your answer what you took for granted.",
}
