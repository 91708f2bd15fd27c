import { homedir } from "node:os"
import { basename, isAbsolute, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SentImage } from "../view/view.ts"

/**
 * The files that a pasted text names, when it is nothing but paths of images: a terminal pastes the
 * path of a file that is dragged into it, quoted, escaped or as an address. Null: it is a text.
 */
export function droppedFiles(text: string): string[] | null {
  if (text.length > 10_000) return null
  const words = wordsOf(text.trim())
  if (words.length === 0) return null
  const paths = words.flatMap(word => pathOf(word) ?? [])
  return paths.length === words.length ? paths : null
}

/** Null when the file is not there, or is no image that can be sent: its path stays a text. */
export async function readDropped(path: string): Promise<SentImage | null> {
  const { readImages } = await import("../../commands/images.ts")
  try {
    const [image] = await readImages([path], "/")
    // The model is told of it by its name: where it lies is nobody's business.
    return image === undefined ? null : { ...image, name: basename(path) }
  } catch {
    return null
  }
}

/** Words as a shell would read them. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/gs) ?? []
  return words.map(word =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/gs, (_whole, one, two, three) => one ?? two ?? three),
  )
}

function pathOf(word: string): string | null {
  if (!/\.(png|jpe?g|gif|webp)$/i.test(word)) return null
  if (word.startsWith("~/")) return join(homedir(), word.slice(2))
  if (isAbsolute(word)) return word
  try {
    return word.startsWith("file://") ? fileURLToPath(word) : null
  } catch {
    return null
  }
}
