import { JsonObject } from "@harness/protocol"
import { measuresOf, outcomeOf, subjectOf, wentWell, wordsOf } from "../printers/action-line.ts"
import { oneLine } from "../text/width.ts"
import type { TranscriptAction, TranscriptCall } from "./transcript.ts"

/** An action in one line: `edit_file a.txt`, and how it ended. */
export type ActionWords = { title: string; outcome: string; good: boolean }

export function wordsOfAction({ proposed, ended, answered }: TranscriptAction): ActionWords {
  const { action, input, effect } = proposed
  const title = oneLine(`${action} ${subjectOf(answered?.input ?? input)}`)
  const said = answered === null ? [] : [answerInWords(answered)]
  if (ended === null) return { title, outcome: [...said, "no end"].join(" · "), good: false }

  const { result } = ended
  // Only a command's process is the reader's business: a search uses one too.
  const process = effect === "execute" ? ended.receipt.process : undefined
  const receipt = { ...ended.receipt, process }
  const measures = process === undefined ? [] : measuresOf(process)
  const outcome = [outcomeOf(result, receipt), ...measures, ...said].join(" · ")
  return { title, outcome, good: wentWell(result, receipt) }
}

function answerInWords(answered: NonNullable<TranscriptAction["answered"]>): string {
  const { decision, by, note, input } = answered
  const word = decision === "approve" ? "approved" : "denied"
  const changed = input === undefined ? "" : ", changed"
  return `${word} by ${by}${changed}${note === undefined ? "" : `: ${note}`}`
}

/** A call in one line. How it came out is told where none of its actions tells it. */
export function wordsOfCall({
  tool,
  arguments: given,
  program,
  actions,
  result,
}: TranscriptCall): ActionWords {
  const title =
    program === null ? oneLine(`${tool} ${subjectIn(given)}`) : `program ${program.started.program}`
  const status = program?.ended?.status ?? result?.status ?? "no result"
  const good = status === "ok" || status === "exit"
  const isTold = program === null && actions.length > 0
  return { title, outcome: isTold ? "" : wordsOf(status), good }
}

/** They may not be JSON: then they say nothing in short. */
function subjectIn(given: string): string {
  try {
    return subjectOf(JsonObject.safeParse(JSON.parse(given)).data ?? {})
  } catch {
    return ""
  }
}
