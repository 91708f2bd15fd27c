import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

const script = [
  { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
  { calls: [{ tool: "edit", arguments: { path: "a.txt", old_text: "one", new_text: "two" } }] },
  { calls: [{ tool: "bash", arguments: { command: "printf '\\0\\1' > c.bin; exit 3" } }] },
  { text: "It is <b>two</b>." },
]

test("a conversation is listed, shown, exported, forked, renamed and deleted", async () => {
  const { project, run } = await job(home.path, { script })
  const ran = await run()
  expect(ran.exitCode).toBe(0)
  const id = /conversation ([0-9a-f]{12})/.exec(ran.stdout)?.[1] ?? ""
  const on = (...args: string[]) =>
    harness(["conversations", ...args], { home: home.path, cwd: project.path })

  const bare = await on()
  expect(bare.stdout).toMatch(
    new RegExp(
      `^id +age +turns +steps +cost +ending +title\\n${id.slice(0, 6)} +\\d+ s +1 +4 +unknown +answered  Do it\\.\\n$`,
    ),
  )
  expect(await harness(["conversations"], { home: home.path, cwd: home.at(".") })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error folder_reserved/),
  })
  expect((await on("list", "--all")).stdout).toContain(project.path)

  const shown = await on("show", id.slice(0, 6))
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" })
  expect(shown.stdout).toMatch(/turn 1 · [^\n]+\n> Do it\.\n/)
  expect(shown.stdout).toMatch(/\n {2}edit_file a\.txt · ok\n/)
  expect(shown.stdout).toMatch(/\n {2}run_command [^\n]+ · exit 3 · /)
  expect(shown.stdout).toMatch(/\nIt is <b>two<\/b>\.\nanswered\n\nstep +model/)
  expect(shown.stdout).toMatch(/\nall +[^\n]+\n$/)
  const events = (await on("show", "last", "--json")).stdout.trimEnd().split("\n")
  expect(events.map(line => JSON.parse(line).seq)).toEqual(events.map((_line, at) => at + 1))

  const markdown = await on("export", id)
  expect(markdown.stdout).toContain(
    "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n```",
  )
  expect(markdown.stdout).toContain("c.bin: created -> 2 bytes (binary)")
  const page = join(project.path, "talk.html")
  expect(await on("export", id, "--output", page)).toMatchObject({ exitCode: 0, stdout: "" })
  expect(readFileSync(page, "utf8")).toContain("It is &#60;b&#62;two&#60;/b&#62;.")
  expect(await on("export", id, "--output", project.path)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error option_invalid: --output/),
  })

  const fork = await on("fork", id, "--turn", "1")
  const forked = /^conversation ([0-9a-f]{12})\n/.exec(fork.stdout)?.[1] ?? ""
  expect(await on("fork", id, "--turn", "2")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error turn_unknown/),
  })
  expect((await on("rename", forked, "Two  ways")).stdout).toBe("it is called Two ways\n")
  const { conversations } = JSON.parse((await on("list", "--json")).stdout)
  expect(conversations).toMatchObject([
    { id: forked, title: "Two ways", turns: 1, steps: 4 },
    { id, title: "Do it.", turns: 1, steps: 4 },
  ])

  expect(await on("delete", id)).toMatchObject({
    exitCode: 2,
    stdout: `conversation ${id}, 1 turn: Do it.\n`,
    stderr: expect.stringMatching(/^error confirmation_required/),
  })
  const asked = { home: home.path, terminal: true }
  expect(await harness(["conversations", "delete", id], { ...asked, stdin: "n\n" })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/nothing was deleted\n$/),
  })
  expect(
    await harness(["conversations", "delete", id], { ...asked, stdin: "yes\n" }),
  ).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`deleted ${id}\n`) })
  expect(await on("show", id)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error conversation_unknown/),
  })
  expect(await harness(["audit", forked], { home: home.path })).toMatchObject({ exitCode: 0 })
  expect(await on("delete", forked, "--yes")).toMatchObject({ stdout: `deleted ${forked}\n` })
  expect((await on()).stdout).toMatch(/^There are no conversations of the project in /)
  expect(existsSync(page)).toBe(true)
})
