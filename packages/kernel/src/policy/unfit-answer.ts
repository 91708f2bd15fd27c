import type { GivenAnswer, Question } from "./requests.ts"

/** Why an answer does not fit what was asked, as a sentence; null when it does. */
export function unfitAnswer(
  { subject, offer }: Question,
  { decision, input, save, answer }: GivenAnswer,
  { edits, saves }: { edits: boolean; saves: boolean },
): string | null {
  const isApproval = decision === "approve"
  if (input !== undefined) {
    if (!isApproval) return "a denial has no input"
    if (subject.type !== "action" || !edits) return "nothing can run in the place of what was asked"
  }
  if (save !== undefined) {
    if (!isApproval) return "a denial saves nothing"
    if (offer === undefined || !saves) return "the request offers nothing to save"
    if (input !== undefined)
      return "the offer is about what was proposed, and another input shall run"
  }
  if (subject.type === "question" || subject.type === "environment") {
    if (!isApproval) return answer === undefined ? null : "a denial answers nothing; give a note"
    if (answer === undefined) return "it needs an answer"
    const unknown = subject.type === "environment" && !subject.kinds.includes(answer)
    return unknown ? `${answer} is none of ${subject.kinds.join(", ")}` : null
  }
  return answer === undefined ? null : "only a question has an answer"
}
