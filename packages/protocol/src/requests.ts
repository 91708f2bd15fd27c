import * as z from "zod"
import { Rule } from "./config.ts"
import { JsonObject } from "./json.ts"
import { numbered } from "./long-events.ts"
import { Permit, PermitWanted } from "./permits.ts"
import { Preview } from "./preview.ts"

/** Who gave an answer to a request. */
export const AnsweredBy = z.enum(["user", "no_approver", "interrupt"])
export type AnsweredBy = z.infer<typeof AnsweredBy>

/** What a request to a person is about. */
export const RequestSubject = z.discriminatedUnion("type", [
  /** Leave to run an action. */
  z.strictObject({ type: z.literal("action"), action_id: z.string() }),
  /** Leave to run a whole program, in the mode `programs`. */
  z.strictObject({ type: z.literal("program"), program: z.int().positive() }),
  /** A question of the model: the answer is text, or one of the options. */
  z.strictObject({
    type: z.literal("question"),
    action_id: z.string(),
    question: z.string(),
    options: z.array(z.string()),
  }),
  /** An environment of a kind that can do what the model needs; the person picks one or refuses. */
  z.strictObject({
    type: z.literal("environment"),
    action_id: z.string(),
    reason: z.string(),
    /** Installed kinds that would do. */
    kinds: z.array(z.string()),
  }),
])
export type RequestSubject = z.infer<typeof RequestSubject>

/**
 * What "allow this kind of thing" would save: with these rules nothing of the same kind is asked
 * again. Of a compound command line there is one for each command that no rule covers yet.
 */
export const RuleOffer = z.strictObject({
  rules: z.array(Rule).min(1),
  /** The commands of the line that no rule covers yet, as they stand in it; empty for other actions. */
  uncovered: z.array(z.string()),
})
export type RuleOffer = z.infer<typeof RuleOffer>

/** How long what was allowed counts. */
export const ApprovalScope = z.enum(["conversation", "project"])
export type ApprovalScope = z.infer<typeof ApprovalScope>

/** Something that a person allowed at the gate for a project. */
export const SavedApproval = z.strictObject({
  id: z.string(),
  rule: Rule,
  at: z.iso.datetime(),
  /** The conversation in which it was given. */
  conversation: z.string(),
})
export type SavedApproval = z.infer<typeof SavedApproval>

/** The events of requests to a person. */
export function requestEvents() {
  return [
    z.strictObject({
      ...numbered,
      type: z.literal("request_opened"),
      request: z.string(),
      subject: RequestSubject,
      title: z.string(),
      /** What an approval gives leave for beyond the action's effect, and why it is asked for. */
      permits: z.array(PermitWanted).optional(),
      preview: Preview,
      /** Absent where nothing can be allowed for good. */
      offer: RuleOffer.optional(),
      /** The commands of a compound line that no rule covers, where nothing can be offered for one of them. */
      uncovered: z.array(z.string()).optional(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("request_answered"),
      request: z.string(),
      decision: z.enum(["approve", "deny"]),
      by: AnsweredBy,
      note: z.string().optional(),
      /** What the person let run in the place of what was proposed; the model is told. */
      input: JsonObject.optional(),
      /** What was saved with the approval. */
      saved: z.strictObject({ scope: ApprovalScope, rules: z.array(Rule) }).optional(),
      /** The answer to a question, or the kind that was picked. */
      answer: z.string().optional(),
    }),
    z.strictObject({
      ...numbered,
      type: z.literal("action_started"),
      action_id: z.string(),
      /** What it was granted. */
      permits: z.array(Permit).optional(),
    }),
  ] as const
}
