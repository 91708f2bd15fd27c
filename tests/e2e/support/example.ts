import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { AssistantMessage } from "../../../packages/protocol/src/index.ts"
import type { ScriptedAnswer } from "../../support/scripted-server.ts"
import { root } from "./homes.ts"

export function recordingText(example: string): Promise<string> {
  return readFile(join(root, "examples", example, "recording.jsonl"), "utf8")
}

/** The lines of an example's recording, as JSON: the header, then the messages. */
export async function recordingOf(example: string): Promise<Record<string, unknown>[]> {
  const text = await recordingText(example)
  return text
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line))
}

/** The recorded messages of an example as answers of a scripted server. */
export async function answersOf(example: string): Promise<ScriptedAnswer[]> {
  const [, ...messages] = await recordingOf(example)
  return messages.map(({ message }) => {
    const { content } = AssistantMessage.parse(message)
    return {
      text: content.flatMap(part => (part.type === "text" ? [part.text] : [])).join(""),
      calls: content.flatMap(part =>
        part.type === "call" ? [{ id: part.id, tool: part.tool, arguments: part.arguments }] : [],
      ),
    }
  })
}

/** The files of the parser example's project, by their paths in it. */
export async function parserProject(): Promise<Record<string, string>> {
  const folder = join(root, "examples", "parser-bug", "project")
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
  const texts = await Promise.all(paths.map(path => readFile(join(folder, path), "utf8")))
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]))
}
