import type { CommandFacts, JsonObject } from "@harness/protocol"
import type { Look, Styled } from "../contracts.ts"
import { sourceLines } from "../render/source.ts"
import { factLines } from "./command-facts.ts"
import { exactly } from "./exact.ts"
import { type Shown, shownPatch, under } from "./shown.ts"

/** `key` is that which was changed, null for the whole input; `facts` what was said of the command. */
type Change = {
  before: JsonObject
  after: JsonObject
  key: string | null
  facts: CommandFacts | undefined
}

/**
 * What a person put in the place of what was proposed: a command whole with the rest of its input, a
 * text as a diff (of an edit against what it replaces, of a file against the proposal), else the input.
 */
export async function shownEdit({ before, after, key, facts }: Change, look: Look): Promise<Shown> {
  const { command, ...rest } = after
  if (key === "command" && typeof command === "string") {
    const lines = facts
      ? factLines({ ...facts, line: command }, look)
      : [...sourceLines(exactly(command), "bash", look), ...jsonLines(rest, look)]
    return headed("changed by you:", { lines, hunks: [] }, look)
  }
  const replaced = key === "new_text" ? before.old_text : key === null ? null : before[key]
  const written = key === null ? null : after[key]
  if (typeof replaced === "string" && typeof written === "string") {
    const title =
      key === "new_text" ? "the edit, as you changed it:" : "your changes to what was proposed:"
    return headed(title, shownPatch(await patch(after.path, replaced, written), look), look)
  }
  return headed("the input, changed by you:", { lines: jsonLines(after, look), hunks: [] }, look)
}

function headed(title: string, shown: Shown, { theme }: Look): Shown {
  return under([theme.strong(title)], shown)
}

function jsonLines(input: JsonObject, look: Look): Styled[] {
  return sourceLines(exactly(JSON.stringify(input, null, 2)), "json", look)
}

/** Two texts that differ nearly everywhere are not worth more time: they are shown whole. */
const diffTimeoutMs = 2_000

async function patch(path: unknown, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff")
  const name = typeof path === "string" ? path : "text"
  const options = { context: 3, timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY }
  // A piece of a file ends where it ends: only a change of its end is worth a line.
  const end = before.endsWith("\n") || after.endsWith("\n") ? "" : "\n"
  const [old, now] = [before + end, after + end]
  const made = createTwoFilesPatch(name, name, old, now, undefined, undefined, options)
  return made ?? after
}
