import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Language, Parser } from "web-tree-sitter"
import { type CommandLine, commandsIn } from "./commands-in.ts"

/** What a line runs; null when that is not known for certain. */
export type ReadCommandLine = (line: string) => CommandLine | null

/** Loads the grammar: about 30 ms, once for a conversation that needs it. */
export async function commandLineReader(): Promise<ReadCommandLine> {
  const grammar = await readFile(grammarFile())
  await Parser.init()
  const parser = new Parser().setLanguage(await Language.load(grammar))

  return line => {
    const tree = parser.parse(line)
    if (tree === null) return null
    try {
      return commandsIn(tree.rootNode)
    } catch {
      // Nested too deeply to be walked.
      return null
    } finally {
      tree.delete()
    }
  }
}

/** A build puts it beside its modules; from source it lies in its package. */
function grammarFile(): string {
  const built = fileURLToPath(new URL("./tree-sitter-bash.wasm", import.meta.url))
  if (existsSync(built)) return built
  return fileURLToPath(import.meta.resolve("tree-sitter-bash/tree-sitter-bash.wasm"))
}
