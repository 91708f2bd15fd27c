import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { thrownBy } from "../support/temporary.ts"
import { installAgreed, packageFolder, temporaryRegistry } from "./packages.ts"

test("a harness.lock cut off anywhere is never taken for another state", async () => {
  const { home, registry } = await temporaryRegistry()
  await installAgreed(registry, await packageFolder(), true)
  const file = join(home, "harness.lock")
  const whole = await readFile(file, "utf8")
  const listed = registry.list()

  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async length => {
      await writeFile(file, whole.slice(0, length))
      if (length === whole.length - 1) {
        expect(registry.list()).toEqual(listed) // only the last line's end is missing
        return
      }
      expect(await thrownBy(() => registry.list())).toMatchObject({
        code: "lock_damaged",
        details: { file, installed: "@acme/notes@1.0.0" },
      })
    }),
    { examples: [[0], [1], [whole.length - 2], [whole.length - 1]] },
  )
})

test("a harness.lock that was altered is refused with the key, by every question", async () => {
  const { home, registry } = await temporaryRegistry()
  const folder = await packageFolder()
  await installAgreed(registry, folder, true)
  const file = join(home, "harness.lock")
  const altered = (await readFile(file, "utf8")).replace(/"slot": "[^"]*"/, '"slot": "../../etc"')
  await writeFile(file, altered)

  const questions = [
    () => registry.list(),
    () => registry.find("kind", "notes"),
    () => registry.names("kind"),
    () => registry.inspect(folder, { link: true }),
    () => registry.uninstall("@acme/notes"),
  ]
  for (const question of questions) {
    expect(await thrownBy(question)).toMatchObject({
      code: "lock_damaged",
      exit: 1,
      details: { file, reason: 'packages."@acme/notes".slot: is not a package\'s folder' },
    })
  }
  expect(await readFile(file, "utf8")).toBe(altered)
})
