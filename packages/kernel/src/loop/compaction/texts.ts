/** The words of harness in a compaction; all of them go to the model. */

/** What a conversation that is summarised from its text is asked with. */
export const summariserInstructions =
  "You keep the record of a software engineer's work: what you write is all that will be known of it."

/** Stands after the conversation, or after its text. */
export function summaryRequest({ words }: { words: number }): string {
  return `[harness] The window is nearly full. Summarise the conversation so far: what you write takes the place of its older part, and you go on from it alone. What the user said, the hashes of files, the names of outputs and what runs are added by harness: leave them out, but name the files that matter.

Write, in at most ${words} words of plain text:
- what is asked, what of it is done, and what is left to do
- what was decided and why, and what was tried and did not work
- what was found out and is still needed: names, places, numbers, errors
- what you were about to do next

Answer with the summary alone, and call no tool.`
}

/** Begins a record. */
export const recordBegins =
  "[harness] The conversation became longer than the window of the model. This record stands for its older part. What it does not tell can be looked up: files by reading them, outputs by their names."

export const saidFollows = "The user said, word for word:"

export const olderLeftOut = "[more that the user said is left out here; the log has it]"

/** After the beginning of a long text. */
export function goesOn({ bytes, name }: { bytes: number; name: string | null }): string {
  const where = name === null ? "it is in the log" : `all of it is in ${name}`
  return `[the text goes on, ${bytes} bytes in all; ${where}]`
}

export const summaryFollows = "Your summary of what was done:"

export const factsFollow = "What harness knows:"
