import * as z from "zod"
import { Sandbox } from "./config.ts"

/** What a command would be: the facts that the preview's text puts in words. */
export const CommandFacts = z.strictObject({
  /** Exactly what runs; of an argv a line that a shell would read back as the same arguments. */
  line: z.string(),
  /** Who reads it; null: the arguments go to the program as they are. */
  shell: z.enum(["sh", "bash"]).nullable(),
  /** From the root. */
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  /** Null: it runs on until it ends. */
  timeout_seconds: z.number().nullable(),
  /** `off`: with the user's own authority. */
  sandbox: Sandbox,
  /** `folder`: the root, but its control files, and a temporary folder. */
  writes: z.enum(["folder", "anywhere"]),
  /** Whether it has the network, once it was let run. */
  network: z.boolean(),
})
export type CommandFacts = z.infer<typeof CommandFacts>

/** What a person is shown before they decide. `text` is a unified diff, a command or a source. */
export const Preview = z.strictObject({
  format: z.enum(["diff", "command", "source", "text"]),
  text: z.string(),
  /** With the format `command`, where the kind says more than the text. */
  command: CommandFacts.optional(),
})
export type Preview = z.infer<typeof Preview>
