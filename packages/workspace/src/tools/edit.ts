import { defineToolView, z } from "@harness/sdk"
import { spelled } from "../paths.ts"
import { numberIn, textIn } from "../summaries.ts"
import { grouped } from "../text/words.ts"
import { presentProblem } from "./present.ts"
import { conflictOf } from "./write.ts"

/** `edit`: replaces one piece of a file that was read. */
export const editTool = defineToolView({
  name: "edit",
  description: "Replace old_text, which must occur exactly once, in a file that you have read.",
  input: z.object({ path: z.string(), old_text: z.string().min(1), new_text: z.string() }),

  plan({ path, old_text, new_text }, known) {
    const expected = known.hashOf(spelled(path))
    if (expected === undefined || expected === "absent") {
      const message = `${path} was not read in this conversation; nothing was changed. Read it first, by this path.`
      return { refused: { error: "not_read", path, message } }
    }
    return { action: "edit_file", input: { path, old_text, new_text, expected } }
  },

  present({ path }, result) {
    if (result.error === "conflict") return JSON.stringify(conflictOf(path, result))

    const problem = presentProblem("edit", result)
    if (problem !== null) return problem

    return `edited ${textIn(result, "path")} at line ${grouped(numberIn(result, "first_line"))}`
  },
})
