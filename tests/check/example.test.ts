import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../../scripts/support/children.mjs"
import { loadExample, projectCopy } from "../../scripts/support/example.mjs"

/** A folder of examples, in a path that a shell would split. */
async function examplesWith(name: string, example: object) {
  const folder = await mkdtemp(join(tmpdir(), "harness examples "))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, name, "project"), { recursive: true })
  await writeFile(join(folder, name, "example.json"), JSON.stringify(example))
  await writeFile(join(folder, name, "project", "a.txt"), "a\n")
  return folder
}

const example = {
  task: "Fix it",
  verify: "node {example}/verify.mjs",
  show_bug: "cat {example}/a.txt",
  source: { folder: "project" },
}

test("an example's commands find its folder, whatever the folder's name", async () => {
  const examples = await examplesWith("one", example)
  const folder = join(examples, "one")

  expect(await loadExample(examples, "one")).toEqual({
    name: "one",
    folder,
    task: "Fix it",
    verify: `node '${folder}'/verify.mjs`,
    showBug: `cat '${folder}'/a.txt`,
    recording: join(folder, "recording.jsonl"),
    source: { folder: "project" },
  })
})

test.for(["two", "../one", ""])(
  "an example %j that is not there is named, with those that are",
  async name => {
    const examples = await examplesWith("one", example)

    await expect(loadExample(examples, name)).rejects.toThrow(
      `there is no example \`${name}\`; there are: one`,
    )
  },
)

test("the copy of a project has one commit and nothing that is not committed", async () => {
  const examples = await examplesWith("one", example)
  const said: string[] = []

  const copy = await projectCopy(await loadExample(examples, "one"), line => said.push(line))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))

  const git = (args: string[]) => run("git", args, { cwd: copy, captured: true })
  expect({ files: await readdir(copy), said }).toEqual({ files: [".git", "a.txt"], said: [] })
  expect(await git(["log", "--format=%an: %s"])).toEqual({
    code: 0,
    output: "harness example: The project as it was found\n",
  })
  expect(await git(["status", "--porcelain"])).toEqual({ code: 0, output: "" })
})
