import { defineAction, z } from "@harness/sdk"
import { matchesFrom } from "../search/matches.ts"
import { placeOf } from "../search/place.ts"
import { ripgrep } from "../search/ripgrep.ts"
import { summaryOf } from "../summaries.ts"
import { grouped, shortened } from "../text/words.ts"

const PATTERN_SHOWN_CHARACTERS = 60

/** Searches the text of the files that `list_files` lists. */
export const searchFiles = defineAction({
  name: "search_files",
  effect: "read",
  description:
    "Searches lines by regex (ripgrep's), or fixed text, in a file or what list_files lists; glob picks files.",
  input: z.object({
    pattern: z.string(),
    path: z.string().default("."),
    glob: z.string().nullable().default(null),
    fixed: z.boolean().default(false),
    ignore_case: z.boolean().default(false),
    context: z.int().min(0).max(20).default(0),
    limit: z.int().min(1).max(5_000).default(200),
  }),
  returns: "{matches: [{path, line, text, with context: before, after}], truncated}",

  async run({ pattern, path, glob, fixed, ignore_case, context: around, limit }, context) {
    const place = await placeOf(path, { pattern: glob, folderOnly: false }, context)
    if (place.status === "error") return place.result

    const args = [
      "--json",
      `--max-count=${limit + 1}`,
      ...(fixed ? ["--fixed-strings"] : []),
      ...(ignore_case ? ["--ignore-case"] : ["--case-sensitive"]),
      ...(around > 0 ? [`--context=${around}`] : []),
      ...place.typeArgs,
      `--regexp=${pattern}`,
    ]
    const listing = await ripgrep(args, { path: place.path, separator: "\n" }, context)
    if (listing.status === "error") return listing.result

    const { matches, more } = await matchesFrom(listing.parts, {
      wants: place.wants,
      context: around,
      limit,
    })
    return {
      matches,
      truncated: more || !listing.complete,
      ...(listing.skipped && { note: "Some files or folders could not be read." }),
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
