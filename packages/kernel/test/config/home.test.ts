import { chmod, mkdir, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { ensureHome, homeFolder } from "../../src/config/home.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

test("the home is HARNESS_HOME, else .harness in the user's folder", () => {
  expect([
    homeFolder({ HARNESS_HOME: "/srv/h", HOME: "/home/me" }),
    homeFolder({ HARNESS_HOME: "state", HOME: "/home/me" }),
    homeFolder({ HARNESS_HOME: "", HOME: "/home/me" }),
    homeFolder({}),
  ]).toEqual([
    resolve("/srv/h"),
    resolve("state"),
    join("/home/me", ".harness"),
    join(homedir(), ".harness"),
  ])
})

test("a new home is its owner's alone", async () => {
  const home = join(await temporaryFolder(), "a", "home")

  await ensureHome(home)

  expect((await stat(home)).mode & 0o777).toBe(0o700)
})

test("a home that others may enter is closed to them", async () => {
  const home = await temporaryFolder()
  await chmod(home, 0o755)

  await ensureHome(home)

  expect((await stat(home)).mode & 0o777).toBe(0o700)
})

test("a home that belongs to another user is refused and keeps its mode", async () => {
  const home = await temporaryFolder()
  await chmod(home, 0o755)
  const { uid } = await stat(home)

  const error = await thrownBy(() => ensureHome(home, uid + 1))

  expect(error).toMatchObject({
    code: "home_unusable",
    details: { home, reason: "it belongs to another user" },
  })
  expect((await stat(home)).mode & 0o777).toBe(0o755)
})

test("a folder that all users share is refused and keeps its mode", async () => {
  const home = await temporaryFolder()
  await chmod(home, 0o1777)

  const error = await thrownBy(() => ensureHome(home))

  expect(error).toMatchObject({
    code: "home_unusable",
    details: { home, reason: "it is a folder that all users share" },
  })
  expect((await stat(home)).mode & 0o7777).toBe(0o1777)
})

test("a file in the home's place, or in its path, is said so", async () => {
  const folder = await temporaryFolder()
  const file = join(folder, "file")
  await writeFile(file, "")
  await mkdir(join(folder, "other"))

  expect(await thrownBy(() => ensureHome(file))).toMatchObject({
    code: "home_unusable",
    details: { home: file, reason: "it is not a folder" },
  })
  expect(await thrownBy(() => ensureHome(join(file, "home")))).toMatchObject({
    code: "home_unusable",
    details: { home: join(file, "home"), reason: "a part of its path is not a folder" },
  })
})
