import * as z from "zod"

/** What a person is shown before they decide. `text` is a unified diff, a command or a source. */
export const Preview = z.strictObject({
  format: z.enum(["diff", "command", "source", "text"]),
  text: z.string(),
})
export type Preview = z.infer<typeof Preview>
