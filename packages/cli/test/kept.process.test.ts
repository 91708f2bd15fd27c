import { readFileSync } from "node:fs"
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

/** A conversation that was held in a project, and commands about it from there. */
async function held() {
  const { project, run } = await job(home.path, { script })
  const { stdout, exitCode } = await run()
  expect(exitCode).toBe(0)
  return {
    project,
    id: /conversation ([0-9a-f]{12})/.exec(stdout)?.[1] ?? "",
    on: (...args: string[]) =>
      harness(["conversations", ...args], { home: home.path, cwd: project.path }),
    answered: (stdin: string, ...args: string[]) =>
      harness(["conversations", ...args], { home: home.path, terminal: true, stdin }),
  }
}

test("a conversation is listed with its project's, and shown in short or event by event", async () => {
  const { id, on, project } = await held()
  const [bare, all, shown, json] = await Promise.all([
    on(),
    on("list", "--all"),
    on("show", id.slice(0, 8)),
    on("show", id, "--json"),
  ])
  expect(bare.stdout).toMatch(
    new RegExp(
      `^id +age +turns +steps +cost +ending +title\\n${id.slice(0, 6)} +\\d+ [sm] +1 +4 +unknown +answered  Do it\\.\\n$`,
    ),
  )
  expect(all.stdout).toContain(project.path)

  expect(shown).toMatchObject({ exitCode: 0, stderr: "" })
  expect(shown.stdout).toMatch(/turn 1 · [^\n]+\n> Do it\.\n/)
  expect(shown.stdout).toMatch(/\n {2}edit_file a\.txt · ok\n/)
  expect(shown.stdout).toMatch(/\n {2}run_command [^\n]+ · exit 3 · /)
  expect(shown.stdout).toMatch(/\nIt is <b>two<\/b>\.\nanswered\n\nstep +model/)
  expect(shown.stdout).toMatch(/\nall +[^\n]+\n$/)
  const events = json.stdout.trimEnd().split("\n")
  expect(events.map(line => JSON.parse(line).seq)).toEqual(events.map((_line, at) => at + 1))
})

test("a conversation is exported with diffs, as Markdown or as HTML by the file's name", async () => {
  const { id, on, project } = await held()
  const page = join(project.path, "talk.html")
  const [markdown, html, refused] = await Promise.all([
    on("export", id),
    on("export", id, "--output", page),
    on("export", id, "--output", project.path),
  ])
  expect(markdown.stdout).toContain(
    "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n```",
  )
  expect(markdown.stdout).toContain("c.bin: created -> 2 bytes (binary)")
  expect(html).toMatchObject({ exitCode: 0, stdout: "" })
  expect(readFileSync(page, "utf8")).toContain("It is &#60;b&#62;two&#60;/b&#62;.")
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error option_invalid: --output/),
  })
})

test("a conversation is forked, its fork renamed, and itself deleted after a yes alone", async () => {
  const { id, on, answered } = await held()
  const fork = await on("fork", id, "--turn", "1")
  const forked = /^conversation ([0-9a-f]{12})\n/.exec(fork.stdout)?.[1] ?? ""
  expect((await on("rename", forked, "Two  ways")).stdout).toBe("it is called Two ways\n")

  const [listed, headless, no] = await Promise.all([
    on("list", "--json"),
    on("delete", id),
    answered("n\n", "delete", id),
  ])
  expect(JSON.parse(listed.stdout).conversations).toMatchObject([
    { id: forked, title: "Two ways", turns: 1, steps: 4 },
    { id, title: "Do it.", turns: 1, steps: 4 },
  ])
  expect(headless).toMatchObject({
    exitCode: 2,
    stdout: `conversation ${id}, 1 turn: Do it.\n`,
    stderr: expect.stringMatching(/^error confirmation_required/),
  })
  expect(no).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/nothing was deleted\n$/) })
  expect(await answered("yes\n", "delete", id)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`deleted ${id}\n`),
  })
  expect(await on("delete", forked, "--yes")).toMatchObject({ stdout: `deleted ${forked}\n` })
})
