// What a command may do and others must know: its receipt tells.
import { execFileSync } from "node:child_process"
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type Homes, prepareHomes } from "../e2e/support/homes.ts"
import { startJob } from "../e2e/support/job.ts"
import { ofType, readOnlyLog } from "../e2e/support/log.ts"
import { descendantsOf, processesWith } from "../e2e/support/processes.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const steering =
  ".vscode/tasks.json .envrc package.json AGENTS.md .git/commondir sub/.git/hooks/pre-commit"

test("what a command makes of control files is written, and its receipt names each", async () => {
  const command = `git init -q sub; mkdir -p .vscode sub/.git/hooks; for each in ${steering}; do echo x > "$each" || exit 1; done`
  const { containment, project } = await receiptOf(command, { "package.json": "{}\n" })

  expect(await project.text(".vscode/tasks.json")).toBe("x\n")
  expect(containment).toMatchObject({ sandbox: "bubblewrap", network: false })
  expect(containment?.touched).toEqual(expect.arrayContaining(steering.split(" ")))
})

test("a repository that has no folder of hooks gets none with a hook in it", async () => {
  const command = "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; git status --short"
  const { containment, project } = await receiptOf(command, {}, folder =>
    rm(join(folder, ".git/hooks"), { recursive: true, force: true }),
  )

  expect(await readdir(project.at(".git/hooks"))).toEqual([])
  expect(containment?.touched).toBeUndefined()
})

test("a file with another name outside is written by it, and the receipt says so", async () => {
  const outside = await temporaryFolder({ "file.txt": "as it was\n" })
  onTestFinished(() => outside.remove())

  const { containment } = await receiptOf("echo changed >> linked.txt", {}, folder =>
    link(outside.at("file.txt"), join(folder, "linked.txt")),
  )

  expect(await readFile(outside.at("file.txt"), "utf8")).toBe("as it was\nchanged\n")
  expect(containment?.hard_links).toEqual(["linked.txt"])
})

test("a command that missed the network is told that it was off", async () => {
  const { containment } = await receiptOf(
    "getent hosts example.invalid; echo 'could not resolve host' >&2; exit 6",
  )

  expect(containment).toMatchObject({
    network: false,
    hint: expect.stringContaining("network is off"),
  })
})

test("when all of harness is killed, its command ends too, and the project is as it was", async () => {
  const command = "(setsid sleep 99.8 &); (nohup sleep 99.9 > /dev/null 2>&1 &); sleep 99.7"
  const home = await homes.fresh()
  const script = [{ calls: [{ tool: "bash", arguments: { command } }] }]
  const job = await startJob({ home, script })
  const running = job.start("-p", "--sandbox", "os")
  const theirs = () => processesWith("sleep\u000099.")
  await expect.poll(async () => (await theirs()).length, { timeout: 60_000 }).toBe(3)

  // What is in the sandbox, and the sandbox, are not killed: nobody is left to do it.
  const inside = await processesWith("sleep 99.7")
  const ours = (await descendantsOf(running.pid)).filter(id => !inside.includes(id))
  const sleeping = await theirs()
  for (const id of [running.pid, ...ours]) if (!sleeping.includes(id)) process.kill(id, "SIGKILL")
  await running.ended

  await expect.poll(theirs, { timeout: 10_000 }).toEqual([])
  expect(await job.project.files()).toEqual({ "a.txt": "one\n" })
})

/** Runs one command of a model in a repository, in the sandbox. */
async function receiptOf(
  command: string,
  files: Readonly<Record<string, string>> = {},
  prepare: (folder: string) => Promise<void> = async () => {},
) {
  const home = await homes.fresh()
  const script = [{ calls: [{ tool: "bash", arguments: { command } }] }, { text: "Done." }]
  const job = await startJob({ home, script, files: { "a.txt": "one\n", ...files } })
  execFileSync("git", ["init", "-q", "--template="], { cwd: job.project.path })
  await writeFile(job.project.at(".gitignore"), "")
  await prepare(job.project.path)

  const { stderr } = await job.run("-p", "--sandbox", "os")
  expect(stderr).toBe("")

  const { events } = await readOnlyLog(home)
  const [ended] = ofType(events, "action_ended")
  return { project: job.project, containment: ended?.receipt.process?.containment }
}
