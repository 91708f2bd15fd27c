import type { JsonObject } from "@harness/protocol"
import { isCompound } from "../rules.ts"
import type { CommandLine } from "./commands-in.ts"
import type { ReadCommandLine } from "./parser.ts"

/** Reads the command line of an input; the grammar is loaded with the first line that needs it. */
export interface LineReader {
  /** Null for what is no compound line, and for one whose commands are not known for certain. */
  read(input: JsonObject): Promise<CommandLine | null>
}

/** `load` fails where the grammar cannot be used: then no compound line is known. */
export function createLineReader(load: () => Promise<ReadCommandLine> = loadParser): LineReader {
  let reading: Promise<ReadCommandLine> | undefined

  return {
    async read({ command }) {
      if (typeof command !== "string" || !isCompound(command)) return null
      reading ??= load().catch(() => () => null)
      return (await reading)(command)
    },
  }
}

async function loadParser(): Promise<ReadCommandLine> {
  const { commandLineReader } = await import("./parser.ts")
  return commandLineReader()
}
