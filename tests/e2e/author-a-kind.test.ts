// The kind that README.md shows, taken from there as it stands, installed and used.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { compiled, emptyHome, root } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

test("the kind of the README has at most 40 lines, installs by a link and works", async () => {
  const { manifest, module } = await kindOfReadme()
  expect((manifest + module).trimEnd().split("\n").length).toBeLessThanOrEqual(40)

  const author = await temporaryFolder({
    "harness-notes/package.json": manifest,
    "harness-notes/index.ts": module,
  })
  onTestFinished(() => author.remove())
  const home = await emptyHome()
  const installed = await runCli(["install", "./harness-notes", "--link", "--yes"], {
    cwd: author.path,
    env: { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled },
  })
  expect(installed).toMatchObject({ exitCode: 0, stderr: "" })

  const source = `print(word_count("today.md").words)\nprint(word_count(path="none.md"))\n`
  const call = { tool: "run_program", arguments: { language: "python", source } }
  const job = await startJob({
    home,
    files: { "today.md": "four words in all\n" },
    script: [{ calls: [call] }, { text: "Four words." }],
  })
  const end = await job.run("-p", "--kind", "notes", "--style", "programs")

  expect(end).toEqual({ exitCode: 0, signal: null, stdout: "Four words.\n", stderr: "" })
  expect(job.server.requests[1]?.results).toEqual([
    `4
{'error': 'not_found', 'message': 'none.md does not exist.'}
[ok · word_count 2]
- word_count: not_found`,
  ])
  const { events } = await readOnlyLog(home)
  expect(ofType(events, "action_ended").map(({ result }) => result)).toEqual([
    { words: 4 },
    { error: "not_found", message: "none.md does not exist." },
  ])
})

/** The two code blocks of the README's section about a kind of one's own. */
async function kindOfReadme(): Promise<{ manifest: string; module: string }> {
  const readme = await readFile(join(root, "README.md"), "utf8")
  const [, section = ""] = readme.split("## A kind of your own\n")
  const manifest = /^```json\n(.*?)^```$/ms.exec(section)?.[1] ?? ""
  const module = /^```ts\n(.*?)^```$/ms.exec(section)?.[1] ?? ""
  return { manifest, module }
}
