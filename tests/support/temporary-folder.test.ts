import { access } from "node:fs/promises"
import { expect, test } from "vitest"
import { temporaryFolder } from "./temporary-folder.ts"

test("a temporary folder holds what was described and is gone after remove", async () => {
  const folder = await temporaryFolder({ "src/a.txt": "one\n", empty: null, b: { link: "src" } })
  await folder.write({ "c.txt": "two\n" })

  const files = await folder.files()
  const throughLink = await folder.text("b/a.txt")
  await folder.remove()

  expect({ files, throughLink }).toEqual({
    files: { "c.txt": "two\n", "src/a.txt": "one\n" },
    throughLink: "one\n",
  })
  await expect(access(folder.path)).rejects.toThrow("ENOENT")
})
