import { defineAction, z } from "@harness/sdk"
import { filesThatAreThere } from "../search/entries.ts"
import { openArgs } from "../search/left-out.ts"
import { placeOf } from "../search/place.ts"
import { firstNames, ripgrep } from "../search/ripgrep.ts"
import { summaryOf } from "../summaries.ts"
import { counted } from "../text/words.ts"

/** Lists the files below a folder that git would see. */
export const listFiles = defineAction({
  name: "list_files",
  effect: "read",
  description:
    "Lists files below path, sorted, without what .gitignore hides; pattern is a glob on the path from the root.",
  input: z.object({
    path: z.string().default("."),
    pattern: z.string().nullable().default(null),
    limit: z.int().min(1).max(10_000).default(1_000),
  }),
  returns: "{files, truncated}",

  async run({ path, pattern, limit }, context) {
    const place = await placeOf(path, { pattern, folderOnly: true }, context)
    if (place.status === "error") return place.result

    const listing = await ripgrep(
      // Names of secret files are no secrets.
      ["--files", "--null", ...openArgs({ ...context.leftOut, secretFiles: [] }, place.name)],
      { path: place.path, separator: "\0" },
      context,
    )
    if (listing.status === "error") return listing.result

    const { names, more } = await firstNames(listing.parts, place.wants, limit)
    return {
      files: await filesThatAreThere(names, context),
      truncated: more || !listing.complete,
      ...(listing.skipped && { note: "Some files or folders could not be read." }),
    }
  },

  summarise({ path, pattern }, result) {
    const files = Array.isArray(result.files) ? result.files.length : 0
    const more = result.truncated === true ? " · truncated" : ""
    const subject = pattern === null ? `list ${path}` : `list ${path} ${pattern}`
    return summaryOf(subject, result, `${counted(files, "file")}${more}`)
  },
})
