import { readdir, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"
import { exclusively } from "../../src/registry/exclusive.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"
import {
  installAgreed,
  notesPackage,
  packageFolder,
  packed,
  temporaryRegistry,
} from "./packages.ts"

test("two installations at once both land", async () => {
  const { home, registry } = await temporaryRegistry()
  const other = notesPackage({
    name: "@acme/other",
    harness: { api: 1, contributes: { providers: [{ name: "other" }] } },
  })
  const first = await packed(await packageFolder())
  const second = await packed(await packageFolder(other))

  await Promise.all([installAgreed(registry, first), installAgreed(registry, second)])

  expect(registry.list()).toMatchObject([
    { name: "@acme/notes", status: "ok" },
    { name: "@acme/other", status: "ok" },
  ])
  expect(await readdir(join(home, "packages"))).toHaveLength(2)
})

test("of two installations of the same at once, one changes something", async () => {
  const { registry } = await temporaryRegistry()
  const folder = await packageFolder()

  const both = [installAgreed(registry, folder, true), installAgreed(registry, folder, true)]
  const changed = (await Promise.all(both)).map(result => result.changed)

  expect(changed.sort()).toEqual([false, true])
})

test("who waits too long for another process is told so, and nothing was changed", async () => {
  const home = await temporaryFolder()
  let changed = false

  const error = await exclusively(home, () =>
    thrownBy(() =>
      exclusively(
        home,
        async () => {
          changed = true
        },
        { waitMs: 300 },
      ),
    ),
  )

  expect(error).toMatchObject({ code: "packages_locked", exit: 1, details: { home } })
  expect(changed).toBe(false)
  expect(await readdir(home)).toEqual(["packages"])
})

test("who lost the hold on the packages notices before anything counts", async () => {
  const home = await temporaryFolder()

  const error = await thrownBy(() =>
    exclusively(home, async stillHeld => {
      stillHeld()
      await rmdir(join(home, "packages.lock"))
      for (;;) {
        stillHeld()
        await setTimeout(50)
      }
    }),
  )

  expect(error).toMatchObject({ code: "packages_locked", details: { home } })
})
