import type { EnvironmentHost } from "@harness/sdk"
import { decodeText, MARGIN_BYTES, wholeCharacters } from "./text/utf8.ts"
import { grouped } from "./text/words.ts"

/** More would crowd out the task; the rest can be read. */
const GUIDANCE_BYTES = 32 * 1_024

const names = ["AGENTS.md", "CLAUDE.md"]

/** What the project says to those who work in it: its AGENTS.md, or else its CLAUDE.md. */
export async function guidance({
  files,
}: Pick<EnvironmentHost, "files">): Promise<{ name: string; text: string } | null> {
  for (const name of names) {
    const limitBytes = GUIDANCE_BYTES + MARGIN_BYTES
    const found = await files.window(name, { offset: 0, limitBytes })
    if (found.status === "refused") continue

    const cut = { limitBytes: GUIDANCE_BYTES, continues: false }
    const { end } = wholeCharacters(found.bytes, cut)
    const decoded = decodeText(found.bytes.subarray(0, end))
    if (decoded.status === "not_text" || decoded.text.trim() === "") continue

    const text = decoded.text.replace(/^\uFEFF/, "")
    if (end === found.size) return { name, text }

    const note = `[${name} is cut here: ${grouped(end)} of ${grouped(found.size)} bytes. Read the rest of the file before you rely on it.]`
    return { name, text: `${text}\n${note}\n` }
  }
  return null
}
