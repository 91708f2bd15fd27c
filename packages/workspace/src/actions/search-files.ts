import { type ActionContext, defineAction, z } from "@harness/sdk"
import { openArgs, secretArgs } from "../search/left-out.ts"
import { type Matches, matchesFrom } from "../search/matches.ts"
import { type Place, placeOf } from "../search/place.ts"
import { firstNames, type Listing, ripgrep } from "../search/ripgrep.ts"
import { fileLines } from "../search/shown-lines.ts"
import { summaryOf } from "../summaries.ts"
import { counted, grouped, shortened } from "../text/words.ts"

const PATTERN_SHOWN_CHARACTERS = 60

const LARGE_SHOWN = 5

const LEFT_OUT_COUNTED = 10_000

/** Searches the text of the files that `list_files` lists. */
export const searchFiles = defineAction({
  name: "search_files",
  effect: "read",
  description:
    "Searches lines by regex (ripgrep's), or fixed text, in a file or what list_files lists but secret files (left_out counts them); glob picks files.",
  input: z.object({
    pattern: z.string(),
    path: z.string().default("."),
    glob: z.string().nullable().default(null),
    fixed: z.boolean().default(false),
    ignore_case: z.boolean().default(false),
    context: z.int().min(0).max(20).default(0),
    limit: z.int().min(1).max(5_000).default(200),
  }),
  returns:
    "{matches: [{path, line, text, with context: before, after}], truncated, if any: left_out}",

  async run({ pattern, path, glob, fixed, ignore_case, context: around, limit }, context) {
    const place = await placeOf(path, { pattern: glob, folderOnly: false }, context)
    if (place.status === "error") return place.result

    const args = [
      "--json",
      `--max-count=${limit + 1}`,
      ...(fixed ? ["--fixed-strings"] : []),
      ...(ignore_case ? ["--ignore-case"] : ["--case-sensitive"]),
      ...(around > 0 ? [`--context=${around}`] : []),
      // A file that is named is searched whatever its name, once it may be read.
      ...(place.type === "file" ? [] : openArgs(context.leftOut, place.name)),
      `--regexp=${pattern}`,
    ]
    const [listing, leftOut] = await Promise.all([
      ripgrep(args, { path: place.path, separator: "\n" }, context),
      countLeftOut(place, context),
    ])
    if (listing.status === "error") return listing.result

    const found = await matchesFrom(listing.parts, {
      wants: place.wants,
      context: around,
      limit,
      linesOf: path => fileLines(path, context),
    })
    const note = noteOf(found, listing)
    return {
      matches: found.matches,
      truncated: found.more || !listing.complete,
      ...(leftOut > 0 && { left_out: leftOut }),
      ...(note !== "" && { note }),
    }
  },

  summarise({ pattern }, result) {
    const { matches } = result
    const found = Array.isArray(matches) ? matches.length : 0
    const count = found === 1 ? "1 match" : `${grouped(found)} matches`
    const more = result.truncated === true ? " · truncated" : ""
    const subject = `search ${shortened(pattern, PATTERN_SHOWN_CHARACTERS)}`
    return summaryOf(subject, result, `${count}${more}`)
  },
})

/** How many secret files would have been searched: counted by their names, whatever they hold. */
async function countLeftOut(place: Place, context: ActionContext): Promise<number> {
  const args = place.type === "file" ? null : secretArgs(context.leftOut)
  if (args === null) return 0

  const listing = await ripgrep(
    ["--files", "--null", ...args],
    { path: place.path, separator: "\0" },
    context,
  )
  if (listing.status === "error") return 0
  const { names } = await firstNames(listing.parts, place.wants, LEFT_OUT_COUNTED)
  return names.length
}

function noteOf({ changed, tooLarge }: Matches, { skipped }: Listing): string {
  const notes: string[] = []
  if (skipped) notes.push("Some files or folders could not be read.")
  if (changed > 0)
    notes.push(`${counted(changed, "file")} changed during the search: search again.`)
  if (tooLarge.length > 0) {
    const names = tooLarge.slice(0, LARGE_SHOWN).join(", ")
    const subject = `Matches in ${counted(tooLarge.length, "file")} are not shown, too large to be compared`
    notes.push(`${subject}: ${names}. Search there with run_command.`)
  }
  return notes.join(" ")
}
