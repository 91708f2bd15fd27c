import { defineToolView, type JsonObject, z } from "@harness/sdk"
import { spelled } from "../paths.ts"
import { numberIn, textIn } from "../summaries.ts"
import { counted } from "../text/words.ts"
import { presentProblem } from "./present.ts"

/**
 * `write`: creates a file, or replaces one that was read. What the conversation has not seen is
 * taken to be absent, so that the action refuses if it is there after all.
 */
export const writeTool = defineToolView({
  name: "write",
  description: "Create a file, or replace one that you have read.",
  input: z.object({ path: z.string(), text: z.string() }),

  plan({ path, text }, known) {
    const hash = known.hashOf(spelled(path))
    const expected = hash === undefined || hash === "absent" ? null : hash
    return { action: "write_file", input: { path, text, expected } }
  },

  present({ path }, result) {
    if (result.error === "conflict") return JSON.stringify(conflictOf(path, result))

    const problem = presentProblem("write", result)
    if (problem !== null) return problem

    const word = result.created === true ? "created" : "replaced"
    return `${word} ${textIn(result, "path")} (${counted(numberIn(result, "bytes"), "byte")})`
  },
})

/** The conflict in the words of a tool, which knows no `expected`. */
export function conflictOf(path: string, { expected, found }: JsonObject): JsonObject {
  const reason =
    found === null
      ? "does not exist any more"
      : expected === null
        ? "exists and you have not read it"
        : "changed since you read it"
  const next = found === null ? "Write it to create it anew" : "Read it first, then try again"
  return { error: "conflict", path, message: `${path} ${reason}; nothing was changed. ${next}.` }
}
