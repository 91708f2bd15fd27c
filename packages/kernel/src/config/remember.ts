import { readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import { parseConfigDocument } from "./document.ts"
import { errnoOf } from "./errno.ts"
import { ensureHome, homeFailure } from "./home.ts"
import { changeStateFile } from "./state-file.ts"

/**
 * Makes a model the one that counts where no other is named: the key `model` of config.jsonc. Comments
 * and all else that stands there stay. Returns the file. Throws `config_invalid` when the file does not
 * hold as it is, `home_unusable`, `disk_full`.
 */
export async function rememberModel(home: string, model: string): Promise<string> {
  await ensureHome(home)
  const file = join(home, "config.jsonc")
  const real = await realFile(file)
  const read = (from: string) => textIn(from, home)
  await changeStateFile(real, read, text => withModel(file, text, model), textOf)
  return file
}

async function withModel(file: string, text: string, model: string): Promise<string> {
  await parseConfigDocument(file, text)
  const { applyEdits, modify } = await import("jsonc-parser")
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ""
  const content = text.slice(mark.length)
  const whole = content.trim() === "" ? "{}\n" : content
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" }
  const edits = modify(whole, ["model"], model, { formattingOptions, getInsertionIndex: () => 0 })
  const changed = mark + applyEdits(whole, edits)
  await parseConfigDocument(file, changed)
  return changed
}

const byteOrderMark = "\uFEFF"

const textOf = (text: string) => text

async function textIn(file: string, home: string): Promise<string> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return ""
    throw homeFailure(home, error)
  }
}

/** Many keep their settings elsewhere and link to them: the link stays. */
async function realFile(file: string): Promise<string> {
  return realpath(file).catch(() => file)
}
