import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { openProject } from "../support/project.ts"

const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex")

/** Each writer reads, and later writes what it made of the text that it read. */
type Writer = { text: string; sha256: string } | null

test("however reads and writes of two writers interleave, none overwrites what it has not seen", async () => {
  const project = await openProject({ "a.txt": "" })
  const turns = fc.array(fc.nat(1), { minLength: 2, maxLength: 12 })

  await fc.assert(
    fc.asyncProperty(turns, async turns => {
      project.write("a.txt", "")
      const writers: Writer[] = [null, null]
      let accepted = ""

      for (const [index, who] of turns.entries()) {
        const seen = writers[who] ?? null
        if (seen === null) {
          const { text, sha256 } = await project.run("read_file", { path: "a.txt" })
          writers[who] = { text: `${text}`, sha256: `${sha256}` }
          continue
        }

        writers[who] = null
        const text = `${seen.text}${who}${index};`
        const result = await project.run("write_file", {
          path: "a.txt",
          text,
          expected: seen.sha256,
        })
        expect(result.error === undefined).toBe(seen.text === accepted)
        if (result.error === undefined) accepted = text
        else
          expect(result).toMatchObject({ error: "conflict", found: sha256(Buffer.from(accepted)) })
      }
      expect(project.bytes("a.txt").toString()).toBe(accepted)
    }),
    { numRuns: 200 },
  )
})
